import { describe, expect, it } from 'vitest';
import { socketsOf } from '../../hostile/support/memory.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { Message } from '../../support/objects.ts';
import { createWebhook } from '../../support/people.ts';
import { raw } from '../../support/raw.ts';
import type { OwnStack } from '../../support/stack.ts';
import { openRaw, openRawGateway, type RawSocket, upgrade } from '../support/raw-socket.ts';
import { replayedEvents, sendResume } from '../support/session.ts';
import type { Gateway } from '../support/use-gateway.ts';

/** Invalid handshakes, unfinished connections, and clients that do not read. */
export function hostileConnections(stack: OwnStack, gateway: Gateway): void {
  const sockets = () => socketsOf(stack.running.pids().realtime ?? 0);

  describe('an invalid handshake is refused', () => {
    const without = (name: string) =>
      upgrade()
        .split('\r\n')
        .filter((line) => !line.startsWith(name))
        .join('\r\n');
    const instead = (from: RegExp, to: string) => upgrade().replace(from, to);
    const WRONG: [name: string, head: string][] = [
      ['no upgrade headers', 'GET /gateway?v=1&encoding=json HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['no key', without('Sec-WebSocket-Key')],
      ['an invalid key', instead(/Key: .*/, 'Key: short')],
      ['two keys', upgrade(undefined, ['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='])],
      ['no version', without('Sec-WebSocket-Version')],
      ['an old version', instead(/Version: 13/, 'Version: 7')],
      ['another protocol', instead(/Upgrade: websocket/, 'Upgrade: h2c')],
      ['POST', instead(/^GET/, 'POST')],
      ['another path', upgrade('/gatewayx')],
      ['a path below', upgrade('/gateway/x?v=1')],
      ['a NUL in the path', upgrade('/%00')],
    ];

    it.each(WRONG)('%s', async (_, head) => {
      const reply = await raw(stack.url, head, { checked: false });
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
    });
  });

  it('unfinished connections do not affect others, and are cleaned up', async () => {
    const fixture = await newGuild(stack.api);
    const session = await gateway.identify(fixture.owner.token);
    const before = sockets();
    const open: RawSocket[] = [];
    const half = upgrade().slice(0, -4);
    const opening = Array.from({ length: 500 }, async (_, n) => {
      // Half a request, a bare handshake, and a handshake followed by half a frame.
      if (n % 5 < 3) open.push(await openRaw(stack.url, half));
      else open.push(await openRawGateway(stack.url, [`X-Forwarded-For: 10.9.${n % 200}.1`]));
    });
    await Promise.all(opening);
    for (const socket of open.slice(-50)) socket.write(Buffer.from([0x81]));
    for (let n = 0; n < 5; n += 1) {
      const { id } = await say(fixture, fixture.owner, `round ${n}`);
      await session.event<Message>('MESSAGE_CREATE', (message) => message.id === id);
      await gateway.connect();
    }
    for (const socket of open) socket.destroy();
    await expect.poll(sockets).toBeLessThan(before + 20);
  });

  it('a client that never reads is disconnected, and can resume without losing an event', {
    timeout: 120_000,
  }, async () => {
    const fixture = await newGuild(stack.api);
    const hook = await createWebhook(fixture, stack.api);
    const session = await gateway.identify(fixture.owner.token);
    const deaf = session.connection;
    deaf.pause();
    const open = sockets();
    const ids: string[] = [];
    // The kernel buffers many megabytes before the server has to wait.
    while (sockets() >= open && ids.length < MOST_MESSAGES)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, () => hook.say(LONG)))).map(({ id }) => id));
    expect(ids.length, 'disconnected').toBeLessThan(MOST_MESSAGES);
    deaf.resumeReading();
    const { code } = await deaf.closed(60_000);
    expect([1006, 4000]).toContain(code);
    const read = session.fresh();
    const again = sendResume(await gateway.connect(), session, session.seq());
    await again.event('RESUMED', undefined, 90_000);
    const received = [...read, ...(await replayedEvents(again))].map(({ d }) => (d as Message).id);
    expect(received.toSorted()).toEqual(ids.toSorted());
    expect(received, 'in order').toEqual(received.toSorted());
  });
}

const MOST_MESSAGES = 600;
const URL_2000 = `https://example.com/${'x'.repeat(2000)}`;
const LINKS = { url: URL_2000, image: { url: URL_2000 }, thumbnail: { url: URL_2000 } };
/** A message of 90 KB. */
const LONG = {
  content: '😀'.repeat(4000),
  embeds: [
    { description: '😀'.repeat(4000), title: 'x' },
    ...Array.from({ length: 9 }, () => ({ ...LINKS, author: { name: 'x', url: URL_2000 } })),
  ],
};
