import { useId, useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import { Status } from '../../shared/ui/status.tsx';
import { callForTab } from '../managed-guild.ts';
import { ChannelSelect } from './channel-select.tsx';
import type { Webhook, WebhookChannel } from './webhook.ts';

interface SettingsProps {
  readonly webhook: Webhook;
  readonly channels: readonly WebhookChannel[];
  readonly onChange: (webhook: Webhook) => void;
}

/** The name, channel and picture of a webhook. */
export function WebhookSettings(props: SettingsProps) {
  return (
    <section class="card">
      <h3>{i18n._('Settings')}</h3>
      <NameAndChannel {...props} />
      <Picture {...props} />
    </section>
  );
}

function NameAndChannel({ webhook, channels, onChange }: SettingsProps) {
  const [name, setName] = useState(webhook.name);
  const [channel_id, setChannel] = useState(webhook.channel_id);
  const [saved, setSaved] = useState('');
  const action = useAction(async () => {
    setSaved('');
    const changes = {
      ...(name.trim() !== webhook.name && { name }),
      ...(channel_id !== webhook.channel_id && { channel_id }),
    };
    const changed = await callForTab<Webhook>('PATCH', `/webhooks/${webhook.id}`, changes);
    onChange(changed);
    setName(changed.name);
    setSaved(i18n._('Saved'));
  });
  return (
    <Form action={action} submit={i18n._('Save')}>
      <Field
        label={i18n._('Name')}
        value={name}
        onValue={setName}
        hint={i18n._('Messages are posted under it. At most 80 characters.')}
        problem={action.problemOf('name')}
      />
      <ChannelSelect label={i18n._('Channel')} channels={channels} value={channel_id} onValue={setChannel} />
      <Status text={saved} />
    </Form>
  );
}

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';

/** A new picture is saved at once. */
function Picture({ webhook, onChange }: SettingsProps) {
  const id = useId();
  const save = async (avatar: string | null) =>
    onChange(await callForTab<Webhook>('PATCH', `/webhooks/${webhook.id}`, { avatar }));
  const change = useAction(async (file: File) => save(await dataUrlOf(file)));
  const remove = useAction(() => save(null));
  return (
    <div class="field">
      <label for={id}>{i18n._('Picture')}</label>
      <input
        id={id}
        type="file"
        accept={TYPES}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void change.run(file);
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {i18n._('PNG, JPEG, GIF or WebP, at most 10 MiB. It is saved at once.')}
      </p>
      <Problem text={change.problemOf('avatar') ?? change.otherProblem()} />
      {webhook.avatar !== null && (
        <ActionButton action={remove} kind="plain">
          {i18n._('Remove the picture')}
        </ActionButton>
      )}
    </div>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
