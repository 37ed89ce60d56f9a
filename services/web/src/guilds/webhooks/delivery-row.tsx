import { useState } from 'preact/hooks';
import { Ago } from '../../shared/ago.tsx';
import { useAction } from '../../shared/api/use-action.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Status } from '../../shared/ui/status.tsx';
import { callForTab } from '../managed-guild.ts';
import { formatText } from './format-text.ts';
import { outcomeText, reasonText } from './reason-text.ts';
import type { Delivery, Webhook } from './webhook.ts';

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  /** Gets the delivery that was made by sending it again. */
  readonly onSent: (again: Delivery) => void;
}

/** What came of one request, and why. */
export function DeliveryRow({ webhook, delivery, onSent }: DeliveryProps) {
  const { outcome, reason, dialect, event, status, count, origin } = delivery;
  const [again, setAgain] = useState<Delivery>();
  const send = async () => {
    setAgain(undefined);
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}/retry`;
    const made = await callForTab<Delivery>('POST', path);
    setAgain(made);
    onSent(made);
  };
  const facts = [formatText(dialect), event, originText(origin), status].filter(Boolean);
  return (
    <li class="delivery">
      <span>
        <Badge kind={outcome === 'posted' ? 'good' : 'warning'}>{outcomeText(outcome)}</Badge>
      </span>
      <div class="delivery-words">
        <p class="delivery-head">
          <span class="quiet">{facts.join(' · ')}</span>
          {count > 1 && (
            <span>{i18n._('{count, plural, one {# request} other {# requests}}', { count })}</span>
          )}
          <Ago time={delivery.timestamp} />
        </p>
        {reason !== undefined && <p>{reasonText(reason)}</p>}
        <Status text={again && sentText(again)} kind={again?.outcome === 'posted' ? 'good' : 'warning'} />
      </div>
      {delivery.can_be_sent_again && (
        <div class="delivery-action">
          <SendAgain outcome={outcome} send={send} />
        </div>
      )}
    </li>
  );
}

/** Asks first if the message is in the channel already: it is posted a second time. */
function SendAgain({ outcome, send }: Pick<Delivery, 'outcome'> & { send: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction(send);
  const close = () => setOpen(false);
  if (outcome !== 'posted' && outcome !== 'duplicate')
    return <ActionButton action={action}>{i18n._('Send again')}</ActionButton>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{i18n._('Send again')}</Button>
      {isOpen && (
        <Confirm
          title={i18n._('Send again')}
          submit={i18n._('Post it again')}
          onClose={close}
          act={() => send().then(close)}
        >
          <p>{i18n._('The message was posted. Sending it again posts it a second time.')}</p>
        </Confirm>
      )}
    </>
  );
}

function sentText({ outcome, reason }: Delivery): string {
  if (outcome === 'posted') return i18n._('Sent again: the message is in the channel.');
  return i18n._('Sent again, but nothing was posted. {reason}', { reason: reasonText(reason) });
}

function originText(origin: Delivery['origin']): string | undefined {
  if (origin === 'retry') return i18n._('sent again');
  return origin === 'test' ? i18n._('test') : undefined;
}
