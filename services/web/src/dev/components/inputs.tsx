import { useState } from 'preact/hooks';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { Switch } from '../../shared/ui/switch.tsx';
import { TextArea } from '../../shared/ui/text-area.tsx';

export function Buttons() {
  return (
    <div class="actions">
      <Button kind="primary">Primary</Button>
      <Button>Other</Button>
      <Button kind="danger">Cannot be undone</Button>
      <Button kind="plain">Plain</Button>
      <Button kind="primary" isBusy>
        Its action runs
      </Button>
      <a class="button" href="/developers">
        To another page
      </a>
    </div>
  );
}

const CHANNELS = [
  { value: '1', text: '#general' },
  { value: '2', text: '#alerts' },
];

export function Inputs() {
  const [name, setName] = useState('Ada');
  const [text, setText] = useState('');
  const [payload, setPayload] = useState('{ "content": "Hello" }');
  const [channel, setChannel] = useState('1');
  const [isTicked, setTicked] = useState(true);
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Field label="Name" value={name} onValue={setName} hint="Up to 100 characters." />
      <Field
        label="Name with an error"
        value={name}
        onValue={setName}
        problem="This name is already taken."
      />
      <TextArea label="Description" value={text} onValue={setText} />
      <TextArea label="Payload" value={payload} onValue={setPayload} isCode hint="JSON, up to 1 MiB." />
      <Select label="Channel" value={channel} onValue={setChannel} options={CHANNELS} />
      <Checkbox label="A choice in a form" checked={isTicked} onChecked={setTicked} />
      <Checkbox label="One that cannot be changed" checked={false} onChecked={setTicked} disabled />
      <Switch label="A setting that applies at once" checked={isOn} onChecked={setOn} />
      <Switch label="One that is off" checked={!isOn} onChecked={(checked) => setOn(!checked)} />
    </>
  );
}
