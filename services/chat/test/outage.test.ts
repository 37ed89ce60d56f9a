import { cuttableWire } from '@gatehouse/dev-env/cuttable-wire';
import { expect, test } from 'vitest';
import { addGuild, as, internally, messageOf, reasonOf, startSuite } from './harness.ts';

test('while the database is away every RPC is 503; when it is back, all is as it was', async () => {
  const wire = await cuttableWire();
  const suite = await startSuite('chat_outage', 1, {}, wire.through);
  const { chat } = suite;
  try {
    const { owner, general, guild } = await addGuild(suite);
    const { message } = await chat.createMessage(messageOf(general, { content: 'Hello' }), as(owner));
    const message_id = message?.id ?? '';
    const get = () => chat.getMessage({ channel_id: general, message_id }, as(owner));
    const before = await get();

    wire.cut();
    const calls = [
      get(),
      chat.listMessages({ channel_id: general }, as(owner)),
      chat.getWebhookMessage({ webhook_id: '1', channel_id: general, message_id }, internally),
      chat.getGuild({ guild_id: guild.id }, as(owner)),
      chat.createMessage(messageOf(general, { content: 'Lost' }), as(owner)),
    ];
    expect(await Promise.all(calls.map(reasonOf))).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    wire.mend();
    await expect.poll(get, { timeout: 10_000 }).toEqual(before);
    const { messages } = await chat.listMessages({ channel_id: general }, as(owner));
    expect(messages).toEqual([before.message]);
  } finally {
    wire.mend();
    await suite.close();
    wire.close();
  }
});
