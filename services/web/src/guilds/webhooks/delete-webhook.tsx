import { useState } from 'preact/hooks';
import { Confirm } from '../../shared/confirm.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { callForTab } from '../managed-guild.ts';
import type { Webhook } from './webhook.ts';

/** A token cannot be replaced: a leaked address is deleted with its webhook. */
export function DeleteWebhook({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const act = async () => {
    await callForTab('DELETE', `/webhooks/${webhook.id}`);
    close();
    onDeleted();
  };
  return (
    <section class="card">
      <h3>{i18n._('Delete the webhook')}</h3>
      <p>
        {i18n._(
          'The address of a webhook never changes. If somebody else may know it, delete the webhook, make a new one and enter its address at the sender.',
        )}
      </p>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {i18n._('Delete the webhook')}
      </button>
      {isOpen && (
        <Confirm title={i18n._('Delete the webhook')} submit={i18n._('Delete')} onClose={close} act={act}>
          <p>
            <Trans
              id="{name} is deleted at once. Programs that use its address get an error. Its messages stay."
              values={{ name: <bdi class="webhook-name">{webhook.name}</bdi> }}
            />
          </p>
        </Confirm>
      )}
    </section>
  );
}
