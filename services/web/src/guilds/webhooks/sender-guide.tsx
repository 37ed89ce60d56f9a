import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { Status } from '../../shared/ui/status.tsx';
import { callForTab } from '../managed-guild.ts';
import { CopySecret } from './copy-secret.tsx';
import { reasonText } from './reason-text.ts';
import { SENDERS, type SenderId, senderOf } from './senders.ts';
import { addressOf, type Delivery, type Dialect, maskedAddress, type Webhook } from './webhook.ts';

/** Which address belongs where: the steps for a sender, with its address and configuration to copy. */
export function SenderGuide(props: {
  webhook: Webhook;
  sender: SenderId;
  onSender: (sender: SenderId) => void;
  onTested: (delivery: Delivery) => void;
}) {
  const { webhook, sender: id, onSender, onTested } = props;
  const { dialect, steps, configuration } = senderOf(id);
  const address = addressOf(webhook, dialect);
  return (
    <section class="card">
      <h3>{i18n._('Use it')}</h3>
      <Select
        label={i18n._('What sends the messages?')}
        value={id}
        onValue={(value) => onSender(value as SenderId)}
        options={SENDERS().map((sender) => ({ value: sender.id, text: sender.name }))}
      />
      {/* "Copied" and the outcome of a test belong to one sender. */}
      <Fragment key={id}>
        <CopySecret
          label={i18n._('Address for this sender')}
          shown={maskedAddress(webhook, dialect)}
          text={address}
          copy={i18n._('Copy the address')}
          hint={i18n._('It is a secret: whoever knows it can post in the channel.')}
        />
        <ol class="guide-steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
          {id === 'own' && (
            <li>
              <Trans
                id="The <0>reference</0> has all members, such as embeds."
                components={[
                  // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
                  <a key="link" href="/docs/reference/executeWebhook" />,
                ]}
              />
            </li>
          )}
        </ol>
        {configuration !== undefined && (
          <CopySecret
            label={configuration.file}
            shown={configuration.text(maskedAddress(webhook, dialect))}
            text={configuration.text(address)}
            copy={configuration.copy}
          />
        )}
        <SendTest webhook={webhook} dialect={dialect} onTested={onTested} />
      </Fragment>
    </section>
  );
}

function SendTest(props: { webhook: Webhook; dialect: Dialect; onTested: (delivery: Delivery) => void }) {
  const { webhook, dialect, onTested } = props;
  const [made, setMade] = useState<Delivery>();
  const send = useAction(async () => {
    setMade(undefined);
    const delivery = await callForTab<Delivery>('POST', `/webhooks/${webhook.id}/test`, { dialect });
    setMade(delivery);
    onTested(delivery);
  });
  return (
    <>
      <ActionButton action={send}>{i18n._('Send a test')}</ActionButton>
      <Status text={made && testText(made)} kind={made?.outcome === 'posted' ? 'good' : 'warning'} />
    </>
  );
}

function testText({ outcome, reason }: Delivery): string {
  if (outcome === 'posted') return i18n._('The test message is in the channel.');
  return i18n._('Nothing was posted. {reason}', { reason: reasonText(reason) });
}
