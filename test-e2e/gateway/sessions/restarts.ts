import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { newGuild, say } from '../../support/guilds.ts';
import type { Message } from '../../support/objects.ts';
import type { OwnStack } from '../../support/stack.ts';
import { OP } from '../support/codes.ts';
import { identify } from '../support/session.ts';
import { type Gateway, invalidSession } from '../support/use-gateway.ts';

/** Processes that are killed or stopped, as clients see them. */
export function restarts(stack: OwnStack, gateway: Gateway): void {
  const pidOf = (name: string) => {
    const pid = stack.running.pids()[name];
    if (pid === undefined) throw new Error(`${name} is not running`);
    return pid;
  };
  const untilBack = async (name: string, before: number) => {
    await until(`${name} is started again`, 30_000, () => {
      const pid = stack.running.pids()[name];
      return pid === undefined || pid === before ? undefined : pid;
    });
    await stack.running.ready();
  };
  const connected = () => until('a connection', 30_000, () => gateway.connect().catch(() => undefined));

  describe('when realtime is killed', () => {
    it('connections end, Resume gets Invalid Session, and the client can identify again', async () => {
      const fixture = await newGuild(stack.api);
      const session = await gateway.identify(fixture.owner.token);
      const pid = pidOf('realtime');
      process.kill(pid, 'SIGKILL');
      await session.connection.closed();
      await untilBack('realtime', pid);
      const connection = await connected();
      connection.send({
        op: OP.RESUME,
        d: { token: session.token, session_id: session.session_id, seq: session.seq() },
      });
      expect(await invalidSession(connection)).toBe(false);
      const anew = await identify(connection, session.token);
      await say(fixture, fixture.owner, 'after all');
      expect((await anew.event<Message>('MESSAGE_CREATE')).content).toBe('after all');
    });
  });

  describe('when realtime stops', () => {
    it('it asks clients to reconnect, and then closes with 1001', async () => {
      const fixture = await newGuild(stack.api);
      const sessions = [
        await gateway.identify(fixture.owner.token),
        await gateway.identify(fixture.owner.token),
      ];
      const unknown = await gateway.connect();
      const pid = pidOf('realtime');
      process.kill(pid, 'SIGTERM');
      for (const { connection } of sessions) {
        expect(await connection.frame(OP.RECONNECT)).toEqual({ op: OP.RECONNECT, d: null, s: null, t: null });
        expect((await connection.closed()).code).toBe(1001);
      }
      await unknown.closed();
      await untilBack('realtime', pid);
      const session = await identify(await connected(), fixture.owner.token);
      await say(fixture, fixture.owner, 'again');
      await session.event<Message>('MESSAGE_CREATE', ({ content }) => content === 'again');
    });
  });

  describe('when chat or the edge is killed', () => {
    it('sessions receive committed events once chat is back', async () => {
      const fixture = await newGuild(stack.api);
      const session = await gateway.identify(fixture.owner.token);
      await say(fixture, fixture.owner, 'before');
      const pid = pidOf('chat');
      process.kill(pid, 'SIGKILL');
      await untilBack('chat', pid);
      await until('a message is posted', 30_000, async () => {
        const path = `/channels/${fixture.channel.id}/messages`;
        const reply = await fixture.owner.api.post(path, { content: 'after' });
        return reply.status === 200 ? true : undefined;
      });
      await session.event<Message>('MESSAGE_CREATE', ({ content }) => content === 'after');
      const contents = session
        .fresh()
        .flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [(d as Message).content] : []));
      expect(contents).toEqual(['before', 'after']);
      expect(session.connection.is_open).toBe(true);
    });

    it('sessions resume when the edge is back, without losing an event', async () => {
      const fixture = await newGuild(stack.api);
      const session = await gateway.identify(fixture.owner.token);
      await say(fixture, fixture.owner, 'before');
      await session.event('MESSAGE_CREATE');
      const pid = pidOf('gateway');
      process.kill(pid, 'SIGKILL');
      await session.connection.closed();
      await untilBack('gateway', pid);
      const witness = await gateway.identify(fixture.owner.token);
      await say(fixture, fixture.owner, 'meanwhile');
      await witness.event('MESSAGE_CREATE');
      const { missed } = await gateway.resume(session, session.seq());
      expect(missed.map(({ d }) => (d as Message).content)).toEqual(['meanwhile']);
    });
  });
}
