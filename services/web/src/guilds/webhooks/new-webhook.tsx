import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { callForTab } from '../managed-guild.ts';
import { ChannelSelect } from './channel-select.tsx';
import type { Webhook, WebhookChannel } from './webhook.ts';

interface NewWebhookProps {
  readonly channels: readonly WebhookChannel[];
  readonly onCreated: (webhook: Webhook) => void;
}

/** The button that makes a webhook, and its dialog. */
export function NewWebhook(props: NewWebhookProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        {i18n._('New webhook')}
      </button>
      {isOpen && <NewWebhookDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}

function NewWebhookDialog({ channels, onCreated, onClose }: NewWebhookProps & { onClose: () => void }) {
  const [name, setName] = useState('');
  const [channel_id, setChannel] = useState(channels[0]?.id ?? '');
  const action = useAction(async () => {
    onCreated(await callForTab<Webhook>('POST', `/channels/${channel_id}/webhooks`, { name }));
  });
  return (
    <Dialog title={i18n._('New webhook')} onClose={onClose}>
      {channels.length === 0 ? (
        <p>{i18n._('This guild has no channel that you can see. Make one first.')}</p>
      ) : (
        <Form action={action} submit={i18n._('Create')} onCancel={onClose}>
          <Field
            label={i18n._('Name')}
            value={name}
            onValue={setName}
            hint={i18n._('Messages are posted under it. At most 80 characters.')}
            problem={action.problemOf('name')}
          />
          <ChannelSelect
            label={i18n._('Channel')}
            channels={channels}
            value={channel_id}
            onValue={setChannel}
          />
        </Form>
      )}
    </Dialog>
  );
}
