import { expect, test, vi } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { type Dispatch, dispatchOf } from '../../src/connections/dispatch.ts';
import type { EventReceiver } from '../../src/following/event-receiver.ts';
import { KeptDispatches } from '../../src/sessions/kept-dispatches.ts';
import { replay } from '../../src/sessions/replay.ts';
import { Session } from '../../src/sessions/session.ts';
import { SessionRegistry } from '../../src/sessions/session-registry.ts';
import { RESUMABLE_MS, sweep } from '../../src/sessions/sweep.ts';
import { World } from '../../src/world/world.ts';
import { testConnection } from '../support/test-connection.ts';
import { until } from '../support/until.ts';

function stage(max = 20_000) {
  const world = new World<EventReceiver>();
  const account = world.addAccount({ account_id: '1', guild_ids: [], members: [], private_channels: [] });
  const known = new SessionRegistry(world);
  const session = new Session(
    { id: 'one', account, credential_id: '5', is_bot: false, seq: 0, highest_sent: 0, user_digest: '' },
    { max_positions: max, kept: new KeptDispatches() },
  );
  known.add(session);
  const client = testConnection((connection) => {
    if (session.connection === connection) known.detach(session);
  });
  known.attach(session, client);
  return { known, session, client, world };
}

const event = (id: number, bytes = 10): Dispatch =>
  dispatchOf('MESSAGE_CREATE', JSON.stringify({ id: String(id), content: '.'.repeat(bytes) }));
const readAll = async (_: Session, ids: readonly number[]) => ids.map((id) => event(id));

function receive(session: Session, ...ids: readonly number[]): void {
  for (const id of ids) session.receive({ entry: id, dispatch: event(id), xact_id: '1' });
}

test('events that arrive during a replay are sent after it, once', async () => {
  const { session, client } = stage();
  receive(session, 1, 2);
  const gate = Promise.withResolvers<void>();
  const replayed = replay(session, 0, async (of, ids) => {
    await gate.promise;
    return readAll(of, ids);
  });
  receive(session, 3);
  gate.resolve();
  expect(await replayed).toBe(true);
  receive(session, 4);
  expect(client.sent.map(({ s, d }) => `${s} ${d?.id}`)).toEqual(['1 1', '2 2', '3 3', '4 4']);
});

test('waits for a slow client', async () => {
  const { session, client } = stage();
  const large = dispatchOf('MESSAGE_CREATE', JSON.stringify('x'.repeat(200_000)));
  for (let count = 0; count < 8; count++)
    session.receive({ entry: large, dispatch: large, xact_id: undefined });
  client.isSlow = true;
  const replayed = replay(session, 0, readAll);
  await until(() => client.sent.length === 2);
  let most = 0;
  while (client.sent.length < 8) {
    const before: number = client.sent.length;
    client.waiting = 0;
    await until(() => client.sent.length > before);
    most = Math.max(most, client.waiting);
  }
  client.waiting = 0;
  expect(await replayed).toBe(true);
  expect(most).toBeLessThan(500_000);
  expect(client.sent.map(({ s }) => s)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('keeps no events that a client has no room for, and then fetches fewer at a time', async () => {
  const { session, client } = stage();
  receive(session, ...Array.from({ length: 100 }, (_, index) => index + 1));
  client.isSlow = true;
  const reads: number[] = [];
  const replayed = replay(session, 0, async (_, ids) => {
    reads.push(ids.length);
    return ids.map((id) => event(id, 100_000));
  });
  await until(() => client.sent.length === 3);
  while (client.sent.length < 100) {
    const before = client.sent.length;
    client.waiting = 0;
    await until(() => client.sent.length > before);
  }
  client.waiting = 0;
  expect(await replayed).toBe(true);
  expect(client.sent.map(({ s }) => s)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(reads[0]).toBe(64);
  expect(Math.max(...reads.slice(1))).toBeLessThanOrEqual(6);
});

test('sends nothing once another connection has taken over the session, even right after a check', async () => {
  const { known, session, client } = stage();
  receive(session, 1, 2);
  let looks = 0;
  const takeOver = (): void => {
    known.detach(session);
    known.attach(
      session,
      testConnection(() => undefined),
    );
    session.sent = 0;
  };
  const connection = {
    ...client,
    waitingBytes: () => {
      if (++looks === 1) queueMicrotask(takeOver);
      return 0;
    },
  };
  known.detach(session);
  known.attach(session, connection);
  expect(await replay(session, 0, readAll)).toBe(true);
  expect([client.received(), session.sent, session.is_live]).toEqual([[], 0, false]);
});

test('ends when another connection has taken over the session', async () => {
  const { known, session, client } = stage();
  receive(session, 1, 2);
  const gate = Promise.withResolvers<void>();
  const replayed = replay(session, 0, async (of, ids) => {
    await gate.promise;
    return readAll(of, ids);
  });
  known.detach(session);
  const other = testConnection(() => undefined);
  known.attach(session, other);
  gate.resolve();
  expect(await replayed).toBe(true);
  expect([client.sent, other.sent, session.is_live]).toEqual([[], [], false]);
});

test('fails if an entry is forgotten or an event has left the log', async () => {
  const few = stage(3);
  receive(few.session, 1, 2, 3, 4, 5);
  expect(await replay(few.session, 0, readAll)).toBe(false);
  const gone = stage();
  receive(gone.session, 1);
  expect(await replay(gone.session, 0, async () => undefined)).toBe(false);
});

/** The test advances the clock. */
async function withClock(act: (pass: (ms: number) => Promise<unknown>) => Promise<void>): Promise<void> {
  vi.useFakeTimers();
  try {
    await act((ms) => vi.advanceTimersByTimeAsync(ms));
  } finally {
    vi.useRealTimers();
  }
}

test('a session is not ended while its Resume is pending', () =>
  withClock(async (pass) => {
    const { known, session } = stage();
    known.detach(session);
    let isResumed = true;
    const stop = sweep(
      known,
      () => new Set(isResumed ? ['one'] : []),
      () => undefined,
    );
    await pass(RESUMABLE_MS + 10_000);
    expect(known.count()).toBe(1);
    isResumed = false;
    await pass(1_000);
    expect(known.count()).toBe(0);
    stop();
  }));

test('a session ends a minute after its connection; a connected one stays', () =>
  withClock(async (pass) => {
    const { known, session, world } = stage();
    const stop = sweep(
      known,
      () => new Set(),
      () => undefined,
    );
    await pass(2 * RESUMABLE_MS);
    expect(known.count()).toBe(1);
    known.detach(session);
    await pass(RESUMABLE_MS - 1_000);
    expect(known.count()).toBe(1);
    await pass(3_000);
    expect([known.count(), world.size().accounts]).toEqual([0, 0]);
    stop();
  }));

test('entries are kept as long as a client may ask for them, and no longer', () =>
  withClock(async (pass) => {
    const { known, session } = stage();
    session.is_live = true;
    const stop = sweep(
      known,
      () => new Set(),
      () => undefined,
    );
    receive(session, 1, 2, 3);
    await pass(125_000); // silent for 1.5 intervals, and then a minute
    expect(session.buffer.get(1)).toBe(1);
    await pass(40_000);
    expect([session.buffer.first(), session.buffer.last()]).toEqual([4, 3]);
    stop();
  }));

test('entries that a slow client has not been sent are kept', () =>
  withClock(async (pass) => {
    const { known, session, client } = stage();
    receive(session, 1, 2, 3);
    const stop = sweep(
      known,
      () => new Set(),
      () => undefined,
    );
    const gate = Promise.withResolvers<void>();
    const replayed = replay(session, 1, async (of, ids) => {
      await gate.promise;
      return readAll(of, ids);
    });
    await pass(300_000);
    gate.resolve();
    await pass(1_000);
    expect(await replayed).toBe(true);
    expect(client.received()).toEqual(['2 MESSAGE_CREATE', '3 MESSAGE_CREATE']);
    stop();
  }));

test('a slow client receives no further events until it has read', async () => {
  const { session, client } = stage();
  const large = dispatchOf('GUILD_CREATE', JSON.stringify('x'.repeat(300_000)));
  session.receive({ entry: large, dispatch: large, xact_id: undefined });
  client.isSlow = true;
  const replayed = replay(session, 0, readAll);
  await until(() => client.sent.length === 1);
  receive(session, 2);
  expect([client.received(), session.is_live]).toEqual([['1 GUILD_CREATE'], false]);
  client.waiting = 0;
  expect(await replayed).toBe(true);
  expect([client.received(), session.is_live]).toEqual([['1 GUILD_CREATE', '2 MESSAGE_CREATE'], true]);
});

test('a client that reads nothing for two minutes is cut off', () =>
  withClock(async (pass) => {
    const { known, session, client } = stage();
    receive(session, 1);
    client.waiting = 1_000_000;
    const replayed = replay(session, 0, readAll);
    await pass(119_000);
    expect(client.closedWith()).toBeUndefined();
    await pass(2_000);
    expect(await replayed).toBe(true);
    expect([client.closedWith(), client.sent, known.count()]).toEqual([CloseCode.UNKNOWN_ERROR, [], 1]);
  }));
