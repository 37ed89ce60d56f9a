import { cuttableWire } from '@gatehouse/dev-env/cuttable-wire';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { expect, test } from 'vitest';
import { mark, openReader } from './events/event-reader.ts';
import { addGuild } from './support/guilds.ts';
import { as, internally, messageOf } from './support/requests.ts';
import { startChat } from './support/start-chat.ts';

test('during an outage of the database every RPC is 503; afterwards everything is as before', async () => {
  const wire = await cuttableWire();
  const fixture = await startChat('chat_outage', 1, {}, wire.through);
  const { chat } = fixture;
  try {
    const { owner, general, guild } = await addGuild(fixture);
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
    await expect.poll(get).toEqual(before);
    const { messages } = await chat.listMessages({ channel_id: general }, as(owner));
    expect(messages).toEqual([before.message]);
  } finally {
    wire.mend();
    await fixture.close();
    wire.close();
  }
});

test('an outage of the database ends the stream of a reader, which continues afterwards', async () => {
  const wire = await cuttableWire();
  const fixture = await startChat('chat_reader_outage', 1, {}, wire.through);
  try {
    const reader = await openReader(fixture.chat);
    await mark(fixture, 'BEFORE');
    await reader.until('BEFORE');
    wire.cut();
    expect(await reader.ended).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await reasonOf(openReader(fixture.chat))).toBe('SERVICE_UNAVAILABLE');
    await mark(fixture, 'MEANWHILE');
    wire.mend();
    const again = await openReader(fixture.chat, { cursor: reader.cursors.at(-1)?.cursor ?? '' });
    await mark(fixture, 'AFTER');
    expect((await again.until('AFTER')).map(({ type }) => type)).toEqual(['MEANWHILE', 'AFTER']);
    await again.close();
  } finally {
    wire.mend();
    await fixture.close();
    wire.close();
  }
});
