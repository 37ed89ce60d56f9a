import { describe, expect, it } from 'vitest';
import { createRole, giveRole, join, newGuild, say, setEveryone } from '../../support/guilds.ts';
import type { Message } from '../../support/objects.ts';
import { UNLIMITED, useStack } from '../../support/stack.ts';
import { CLOSE, OP } from '../support/codes.ts';
import type { Connection } from '../support/connection.ts';
import { useReplicas } from '../support/replicas.ts';
import { replayedEvents, type Session } from '../support/session.ts';
import { invalidSession } from '../support/use-gateway.ts';

const stack = useStack(UNLIMITED);
const startReplicas = useReplicas(stack);

const contents = (dispatches: readonly { t: string; d: unknown }[]) =>
  dispatches.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => (d as Message).content); // t says so

const received = (session: Session, content: string) =>
  session.event<Message>('MESSAGE_CREATE', (message) => message.content === content);

const isReconnect = (connection: Connection) => connection.frame(OP.RECONNECT);

describe('two replicas', () => {
  it('both deliver events', async () => {
    const [one, two] = await startReplicas(2);
    const fixture = await newGuild(stack.api);
    const { token } = fixture.owner;
    const sessions = await Promise.all([one?.identify(token), two?.identify(token)]);
    await say(fixture, fixture.owner, 'hello');
    for (const session of sessions) if (session) await received(session, 'hello');
  });

  it('a session resumes at another running replica with every missed event', async () => {
    const [one, two] = await startReplicas(2);
    const fixture = await newGuild(stack.api);
    const session = await one?.identify(fixture.owner.token);
    if (session === undefined || two === undefined) throw new Error('expected two replicas');
    await say(fixture, fixture.owner, 'had');
    await received(session, 'had');
    const seq = session.seq();
    session.connection.break();
    for (const content of ['missed 1', 'missed 2']) await say(fixture, fixture.owner, content);
    const resumed = await two.resume(session, seq);
    expect(contents(await replayedEvents(resumed))).toEqual(['missed 1', 'missed 2']);
    await say(fixture, fixture.owner, 'live');
    await received(resumed, 'live');

    // The session has moved, and can move back.
    resumed.connection.break();
    await say(fixture, fixture.owner, 'missed 3');
    const back = await one?.resume(session, resumed.seq());
    if (back === undefined) throw new Error('expected two replicas');
    expect(contents(await replayedEvents(back))).toEqual(['missed 3']);
  });

  it('a Resume takes over a hanging connection at another replica', async () => {
    const [one, two] = await startReplicas(2);
    const fixture = await newGuild(stack.api);
    const session = await one?.identify(fixture.owner.token);
    if (session === undefined || two === undefined) throw new Error('expected two replicas');
    const resumed = await two.resume(session, 1);
    await replayedEvents(resumed);
    expect((await session.connection.closed()).code).toBe(CLOSE.UNKNOWN_ERROR);
    await say(fixture, fixture.owner, 'live');
    await received(resumed, 'live');
  });

  it("a session cannot be resumed with another account's token at any replica", async () => {
    const [one, two] = await startReplicas(2);
    const fixture = await newGuild(stack.api);
    const other = await newGuild(stack.api);
    const session = await one?.identify(fixture.owner.token);
    if (session === undefined || two === undefined) throw new Error('expected two replicas');
    const stolen = await two.resume({ ...session, token: other.owner.token }, 1);
    expect(await invalidSession(stolen.connection)).toBe(false);
    await say(fixture, fixture.owner, 'still here');
    await received(session, 'still here');
  });

  it('after a stop under load, sessions continue at the other replica without losing an event', async () => {
    const [one, two] = await startReplicas(2);
    if (one === undefined || two === undefined) throw new Error('expected two replicas');
    const fixture = await newGuild(stack.api);
    const people = await Promise.all(Array.from({ length: 6 }, () => join(stack.api, fixture)));
    const sessions = await Promise.all(people.map(({ token }) => one.identify(token)));
    const sent: string[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let number = 1; !isOver; number++) {
        await say(fixture, fixture.owner, `message ${number}`);
        sent.push(`message ${number}`);
      }
    })();
    await Promise.all(sessions.map((session) => received(session, 'message 3')));
    const stopping = one.stop();
    const resumed = await Promise.all(
      sessions.map(async (session) => {
        await isReconnect(session.connection);
        await session.connection.closed();
        return two.resume(session, session.seq());
      }),
    );
    await Promise.all(resumed.map((session) => session.event('RESUMED')));
    await stopping;
    isOver = true;
    await writing;
    await say(fixture, fixture.owner, 'last');
    await Promise.all(resumed.map((session) => received(session, 'last')));
    for (const [index, session] of sessions.entries()) {
      const all = [...session.connection.dispatches, ...(resumed[index]?.connection.dispatches ?? [])];
      expect(all.map(({ s }) => s)).toEqual(all.map((_, at) => at + 1));
      expect(contents(all).slice(-sent.length - 1)).toEqual([
        ...sent.slice(-contents(all).length + 1),
        'last',
      ]);
    }
  });

  it('sessions without a connection are transferred when their replica stops', async () => {
    const [one, two] = await startReplicas(2);
    if (one === undefined || two === undefined) throw new Error('expected two replicas');
    const fixture = await newGuild(stack.api);
    const person = await join(stack.api, fixture);
    const session = await one.identify(person.token);
    session.connection.break();
    await say(fixture, fixture.owner, 'before the stop');
    await one.stop();
    await say(fixture, fixture.owner, 'after the stop');
    const resumed = await two.resume(session, session.seq());
    expect(contents(await replayedEvents(resumed))).toEqual(['before the stop', 'after the stop']);
  });

  it('a session that loses access during the transfer gets CHANNEL_DELETE and nothing after it', async () => {
    const [one, two] = await startReplicas(2);
    if (one === undefined || two === undefined) throw new Error('expected two replicas');
    const fixture = await newGuild(stack.api);
    const person = await join(stack.api, fixture);
    const role = await createRole(fixture, { permissions: '1024' });
    const session = await one.identify(person.token);
    session.connection.break();
    await say(fixture, fixture.owner, 'seen');
    await setEveryone(fixture, '0');
    await say(fixture, fixture.owner, 'not seen');
    await giveRole(fixture, person, role);
    await say(fixture, fixture.owner, 'seen again');
    const events = await replayedEvents(await two.resume(session, session.seq()));
    expect(contents(events)).toEqual(['seen', 'seen again']);
    const types = events.map(({ t }) => t).filter((t) => t.startsWith('CHANNEL_'));
    expect(types).toEqual(['CHANNEL_DELETE', 'CHANNEL_CREATE']);
  });

  it('a revoked credential closes its connections with 4004 at every replica', async () => {
    const [one, two] = await startReplicas(2);
    if (one === undefined || two === undefined) throw new Error('expected two replicas');
    const fixture = await newGuild(stack.api);
    const { token, api } = fixture.owner;
    const sessions = await Promise.all([one, two].map((replica) => replica.identify(token)));
    const from = performance.now();
    await api.post('/auth/logout');
    for (const { connection } of sessions)
      expect((await connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});
