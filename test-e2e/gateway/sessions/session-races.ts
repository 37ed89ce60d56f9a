import { expect, it } from 'vitest';
import { withGlobalRetry } from '../../support/api.ts';
import { join, newGuild, say } from '../../support/guilds.ts';
import type { Message } from '../../support/objects.ts';
import { createWebhook, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { OP } from '../support/codes.ts';
import { replayedEvents, sendResume } from '../support/session.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { watch } from '../support/watch.ts';

/** Concurrent sessions, resumes and connections. */
export function sessionRaces(stack: TestStack, gateway: Gateway): void {
  it('100 sessions identify at once, and each receives events', async () => {
    const fixture = await newGuild(stack.api);
    const people = [fixture.owner];
    while (people.length < 10) people.push(await join(stack.api, fixture));
    const sessions = await Promise.all(
      Array.from({ length: 100 }, (_, n) => gateway.identify(people[n % people.length]?.token ?? '')),
    );
    expect(new Set(sessions.map(({ session_id }) => session_id)).size).toBe(100);
    const { id } = await say(fixture, fixture.owner, 'to all');
    await Promise.all(
      sessions.map((session) => session.event<Message>('MESSAGE_CREATE', (message) => message.id === id)),
    );
  });

  it('30 disconnected sessions resume at once, with the same missed events', async () => {
    const fixture = await newGuild(stack.api);
    const hook = await createWebhook(fixture, stack.api);
    const sessions = await Promise.all(
      Array.from({ length: 30 }, () => gateway.identify(fixture.owner.token)),
    );
    for (const { connection } of sessions) connection.break();
    const ids: string[] = [];
    const post = async (count: number) => {
      for (let n = 0; n < count; n += 1) ids.push((await hook.say({ content: 'x' })).id);
    };
    await post(10);
    const posting = post(20);
    const resumed = await Promise.all(sessions.map((session) => gateway.resume(session, 1)));
    await posting;
    const last = ids.at(-1);
    for (const { session, missed: received } of resumed) {
      await session.event<Message>('MESSAGE_CREATE', ({ id }) => id === last).catch(() => undefined);
      const all = [...received, ...session.fresh()];
      const messages = all.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => (d as Message).id);
      expect(messages).toEqual(ids);
    }
  });

  it('of two concurrent Resumes one gets the session, and no event is lost', async () => {
    const fixture = await newGuild(stack.api);
    const first = await gateway.identify(fixture.owner.token);
    const witness = await gateway.identify(fixture.owner.token);
    first.connection.break();
    await say(fixture, fixture.owner, 'missed');
    await witness.event('MESSAGE_CREATE');
    for (let n = 0; n < 5; n += 1) {
      const [one, two] = [await gateway.connect(), await gateway.connect()];
      const tries = [sendResume(one, first, 1), sendResume(two, first, 1)];
      await Promise.race([one.closed(), two.closed()]);
      const alive = tries.filter(({ connection }) => connection.is_open);
      expect(alive).toHaveLength(1);
      const [session] = alive;
      if (session === undefined) throw new Error('no connection has the session');
      const [received] = await replayedEvents(session);
      expect(received?.d).toMatchObject({ content: 'missed' });
    }
  });

  it('short-lived connections do not affect others', async () => {
    const fixture = await newGuild(stack.api);
    const hook = await createWebhook(fixture, stack.api);
    const steady = await watch(gateway, fixture.owner);
    await steady.received();
    const guest = await newcomer(withGlobalRetry(stack.api));
    const ids: string[] = [];
    let churning = true;
    const writer = (async () => {
      while (churning || ids.length < 20) ids.push((await hook.say({ content: 'x' })).id);
    })();
    const churn = async (kind: number) => {
      for (let n = 0; n < 8; n += 1) await comeAndGo(gateway, guest, (kind + n) % 5);
    };
    await Promise.all(Array.from({ length: 10 }, (_, kind) => churn(kind)));
    churning = false;
    await writer;
    const received = (await steady.received()).filter(({ t }) => t === 'MESSAGE_CREATE');
    expect(received.map(({ d }) => (d as Message).id)).toEqual(ids);
  });
}

/** Opens and ends a connection in one of five ways. */
async function comeAndGo(gateway: Gateway, { token }: Person, kind: number): Promise<void> {
  if (kind === 0) {
    const connection = await gateway.connect();
    connection.break();
  } else if (kind === 1) {
    const connection = await gateway.connect();
    connection.send({ op: OP.IDENTIFY, d: { token } });
    connection.break();
  } else if (kind === 2) {
    await (await gateway.identify(token)).connection.close(1000);
  } else if (kind === 3) {
    const session = await gateway.identify(token);
    session.connection.break();
    await gateway.resume(session, 1);
  } else {
    const { connection } = await gateway.identify(token);
    connection.send('{');
    await connection.closed();
  }
}
