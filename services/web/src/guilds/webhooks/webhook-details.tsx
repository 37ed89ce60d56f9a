import { useEffect, useRef, useState } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { hashOf } from '../route.ts';
import { DeleteWebhook } from './delete-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { MessagePreview } from './message-preview.tsx';
import { SenderGuide } from './sender-guide.tsx';
import { senderNamedIn, senderOf } from './senders.ts';
import type { Webhook, WebhookChannel } from './webhook.ts';
import { WebhookPicture } from './webhook-picture.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

/** One webhook: its address and what to do with it, what came of it, and its settings. */
export function WebhookDetails(props: {
  guild_id: string;
  webhook: Webhook;
  channels: readonly WebhookChannel[];
  onChange: (webhook: Webhook) => void;
  onDeleted: () => void;
}) {
  const { guild_id, webhook, channels, onChange, onDeleted } = props;
  const [sender, setSender] = useState(() => senderNamedIn(webhook.name));
  const [newest, setNewest] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <p>
        <a class="button" href={hashOf('webhooks')}>
          {i18n._('All webhooks')}
        </a>
      </p>
      <h2 ref={heading} tabIndex={-1} class="webhook-heading">
        <WebhookPicture webhook={webhook} />
        <bdi class="webhook-name">{webhook.name}</bdi>
      </h2>
      <SenderGuide
        webhook={webhook}
        sender={sender}
        onSender={setSender}
        onTested={({ id }) => setNewest(id)}
      />
      <Deliveries guild_id={guild_id} webhook={webhook} newest={newest} onNewest={setNewest} />
      <MessagePreview webhook={webhook} suggested={senderOf(sender).dialect} />
      <WebhookSettings webhook={webhook} channels={channels} onChange={onChange} />
      <DeleteWebhook webhook={webhook} onDeleted={onDeleted} />
    </>
  );
}
