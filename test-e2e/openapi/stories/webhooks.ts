import { until } from '@gatehouse/dev-env/until';
import { expectOk } from '../../support/expect-status.ts';
import type { Message, Webhook, WebhookDelivery } from '../../support/objects.ts';
import type { GuildWithChannel } from './guilds.ts';
import type { Character, World } from './world.ts';

/** A webhook is managed by Ann and executed by its token. */
export async function webhooks(
  { examples }: World,
  { as, api }: Character,
  { guild_id, channel_id, general_id }: GuildWithChannel,
): Promise<void> {
  const { id: webhook_id, token } = await examples.send<Webhook>('createWebhook', {
    as,
    path: { channel_id },
  });
  await examples.send('listChannelWebhooks', { as, path: { channel_id } });
  await examples.send('listGuildWebhooks', { as, path: { guild_id } });
  await examples.send('getWebhook', { as, path: { webhook_id } });
  await examples.send('updateWebhook', { as, path: { webhook_id }, body: { channel_id: general_id } });

  await examples.send('updateWebhookSettings', { as, path: { guild_id } });
  await examples.send('getWebhookSettings', { as, path: { guild_id } });

  const path = { webhook_id, token };
  await examples.send('getTokenWebhook', { path });
  await examples.send('updateTokenWebhook', { path });
  const { id: message_id } = await examples.send<Message>('executeWebhook', { path });
  const message = { ...path, message_id };
  await examples.send('getWebhookMessage', { path: message });
  await examples.send('updateWebhookMessage', { path: message });
  await examples.send('deleteWebhookMessage', { path: message });
  await examples.send('executeChatcompat', { path });
  await examples.send('executeCodehost', { path });
  await examples.send('executeStatuspage', { path });
  await expectMessages(api, general_id, 3);
  await examples.send('previewWebhook', { as });
  await examples.send('testWebhook', { as, path: { webhook_id } });
  const delivery_id = await keptDelivery(api, webhook_id);
  await examples.send('retryDelivery', { as, path: { webhook_id, delivery_id } });
  await examples.send('listWebhookDeliveries', { as, path: { webhook_id } });
  await expectMessages(api, general_id, 5);
  await examples.send('deleteTokenWebhook', { path });
  const other = await expectOk<Webhook>(api.post(`/channels/${channel_id}/webhooks`, { name: 'Other' }));
  await examples.send('deleteWebhook', { as, path: { webhook_id: other.id } });
}

/** A delivery whose payload is kept. It is stored after its answer. */
async function keptDelivery(api: Character['api'], webhook_id: string): Promise<string> {
  return until('a payload is kept', 20_000, async () => {
    const list = await expectOk<WebhookDelivery[]>(api.get(`/webhooks/${webhook_id}/deliveries`));
    return list.find(({ can_be_sent_again }) => can_be_sent_again)?.id;
  });
}

/** A code host's or status page's delivery is answered with 204 whether it shows something or not. */
async function expectMessages(api: Character['api'], channel_id: string, count: number): Promise<void> {
  const messages = await expectOk<Message[]>(api.get(`/channels/${channel_id}/messages`));
  if (messages.length !== count) throw new Error(`${messages.length} of ${count} examples show a message`);
}
