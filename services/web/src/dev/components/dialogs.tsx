import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { showToast } from '../../shared/ui/toast.tsx';

type Open = 'form' | 'long' | 'confirm' | undefined;

export function Dialogs() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <div class="actions">
      <Button onClick={() => setOpen('form')}>A form that fails</Button>
      <Button onClick={() => setOpen('long')}>A long dialog</Button>
      <Button kind="danger" onClick={() => setOpen('confirm')}>
        A question
      </Button>
      {open === 'form' && <FailingForm onClose={close} />}
      {open === 'long' && (
        <Dialog title="A long dialog" isWide onClose={close}>
          {Array.from({ length: 30 }, (_, line) => (
            <p key={line}>Line {line + 1} of a text that is longer than the screen of a phone.</p>
          ))}
          <div class="actions">
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      )}
      {open === 'confirm' && (
        <Confirm title="Delete it?" submit="Delete it" onClose={close} act={async () => close()}>
          <p>It cannot be brought back.</p>
        </Confirm>
      )}
    </div>
  );
}

function FailingForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const action = useAction(async () => {
    throw new UserFacingError('The server is busy or being restarted. Try again in a moment.');
  });
  return (
    <Dialog title="A form that fails" onClose={onClose}>
      <Form action={action} submit="Save" onCancel={onClose}>
        <Field label="Name" value={name} onValue={setName} />
      </Form>
    </Dialog>
  );
}

export function Toasting() {
  const restore = async () => showToast('The role is back.');
  const fail = async () => {
    throw new UserFacingError('This can no longer be undone.');
  };
  return (
    <div class="actions">
      <Button onClick={() => showToast('The changes are saved.')}>Without undo</Button>
      <Button onClick={() => showToast('The role is removed.', { undo: restore })}>With undo</Button>
      <Button onClick={() => showToast('The bot is removed.', { undo: fail })}>
        With an undo that fails
      </Button>
    </div>
  );
}
