import { reasonOf } from '@gatehouse/dev-env/faults';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { expect, test } from 'vitest';
import { mark, openReader } from './events/event-reader.ts';
import { addGuild } from './support/guilds.ts';
import { as, internally, messageOf } from './support/requests.ts';
import { startChat } from './support/start-chat.ts';

test('during an outage of the database every RPC is 503; afterwards everything is as before', async () => {
  const proxy = await startTcpProxy();
  const fixture = await startChat('chat_outage', 1, {}, proxy.through);
  const { chat } = fixture;
  try {
    const { owner, general, guild } = await addGuild(fixture);
    const { message } = await chat.createMessage(messageOf(general, { content: 'Hello' }), as(owner));
    const message_id = message?.id ?? '';
    const get = () => chat.getMessage({ channel_id: general, message_id }, as(owner));
    const before = await get();

    proxy.cut();
    const calls = [
      get(),
      chat.listMessages({ channel_id: general }, as(owner)),
      chat.getWebhookMessage({ webhook_id: '1', channel_id: general, message_id }, internally),
      chat.getGuild({ guild_id: guild.id }, as(owner)),
      chat.createMessage(messageOf(general, { content: 'Lost' }), as(owner)),
    ];
    expect(await Promise.all(calls.map(reasonOf))).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    proxy.restore();
    await expect.poll(get).toEqual(before);
    const { messages } = await chat.listMessages({ channel_id: general }, as(owner));
    expect(messages).toEqual([before.message]);
  } finally {
    proxy.restore();
    await fixture.close();
    proxy.close();
  }
});

test('an outage of the database ends the stream of a reader, which continues afterwards', async () => {
  const proxy = await startTcpProxy();
  const fixture = await startChat('chat_reader_outage', 1, {}, proxy.through);
  try {
    const reader = await openReader(fixture.chat);
    await mark(fixture, 'BEFORE');
    await reader.until('BEFORE');
    proxy.cut();
    expect(await reader.ended).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await reasonOf(openReader(fixture.chat))).toBe('SERVICE_UNAVAILABLE');
    await mark(fixture, 'MEANWHILE');
    proxy.restore();
    const again = await openReader(fixture.chat, { cursor: reader.cursors.at(-1)?.cursor ?? '' });
    await mark(fixture, 'AFTER');
    expect((await again.until('AFTER')).map(({ type }) => type)).toEqual(['MEANWHILE', 'AFTER']);
    await again.close();
  } finally {
    proxy.restore();
    await fixture.close();
    proxy.close();
  }
});
