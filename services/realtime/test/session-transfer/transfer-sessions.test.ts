import { setTimeout as sleep } from 'node:timers/promises';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { deadlineExceeded, unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous } from '@gatehouse/kit/rpc';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import type { Peers } from '../../src/session-transfer/peers.ts';
import { transferSessions } from '../../src/session-transfer/transfer-sessions.ts';
import { ANN, chatOf, GENERAL, message, OWNER } from '../support/cast.ts';
import { type Replica, replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import type { TestConnection } from '../support/test-connection.ts';
import { until } from '../support/until.ts';

type Peer = Awaited<ReturnType<Peers['all']>>[number];

const OPTIONS = { timeoutMs: 5_000, caller: anonymous };

/** ann's session, which has lost its connection after two messages. */
async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  const [here, there] = [await replica(chat, auth), await replica(chat, auth)];
  const token = auth.token(ANN, '501');
  const ann = await here.identify(token);
  await until(() => ann.sent.length === 1);
  for (const content of ['one', 'two']) chat.write(message(GENERAL, content));
  await until(() => ann.sent.length === 3);
  here.sessionHandler.ended(ann, undefined);
  here.isDraining = true;
  const session_id = ann.sessionId();
  return { chat, auth, here, there, token, session_id };
}

function give(
  { registry, chatLog, inTransfer, transferred }: Replica,
  ...peers: readonly Peer[]
): Promise<number> {
  return transferSessions({
    registry,
    chatLog,
    inTransfer,
    transferred,
    peers: { all: async () => peers },
    log: silentLogger,
  });
}

test('a stopping replica transfers its sessions to another, where they continue', async () => {
  const { chat, here, there, token, session_id } = await stage();
  chat.write(message(GENERAL, 'meanwhile'));
  expect(await give(here, here.peer, there.peer)).toBe(1); // including itself
  expect([here.registry.count(), there.registry.count()]).toEqual([0, 1]);
  chat.write(message(GENERAL, 'later'));
  const again = await there.resume(token, session_id, 2);
  await until(() => again.sent.at(-1)?.t === 'RESUMED');
  expect(again.received().slice(0, 3)).toEqual(['3 MESSAGE_CREATE', '4 MESSAGE_CREATE', '5 MESSAGE_CREATE']);
  expect(again.sent.map(({ d }) => d?.content)).toEqual(['two', 'meanwhile', 'later', undefined]);
});

test('events during a transfer are delivered once', async () => {
  const { chat, here, there, token, session_id } = await stage();
  const between: Peer = {
    ...there.peer,
    prepareSessions: async (request, options) => {
      const prepared = await there.peer.prepareSessions(request, options);
      chat.write(message(GENERAL, 'prepared'));
      return prepared;
    },
    acceptSessions: async (request, options) => {
      chat.write(message(GENERAL, 'given'));
      const applied = there.chatLog.applied();
      await until(() => there.chatLog.applied() > applied);
      return there.peer.acceptSessions(request, options);
    },
  };
  await give(here, between);
  const again = await there.resume(token, session_id, 3);
  await until(() => again.sent.at(-1)?.t === 'RESUMED');
  expect(again.sent.map(({ d }) => d?.content)).toEqual(['prepared', 'given', undefined]);
});

test('a replica that hangs delays the transfer once, and the others get all sessions', async () => {
  const { here, there, token } = await stage();
  const clients = await Promise.all(Array.from({ length: 90 }, () => here.identify(token)));
  for (const client of clients) here.sessionHandler.ended(client, undefined);
  const hanging: Peer = {
    ...there.peer,
    prepareSessions: async (_, { timeoutMs }) => {
      await sleep(timeoutMs);
      throw deadlineExceeded(new Error('scripted'));
    },
  };
  const took_ms = processStopwatch();
  expect(await give(here, hanging, there.peer)).toBe(91);
  expect(took_ms()).toBeLessThan(4_500);
  expect(there.registry.count()).toBe(91);
});

test('a replica that refuses sessions for a moment is tried again', async () => {
  const { here, there, token } = await stage();
  const clients = await Promise.all(Array.from({ length: 90 }, () => here.identify(token)));
  for (const client of clients) here.sessionHandler.ended(client, undefined);
  let refusals = 2;
  const unwell: Peer = {
    ...there.peer,
    prepareSessions: async (request, options) => {
      if (refusals-- > 0) throw unavailable(new Error('scripted'));
      return there.peer.prepareSessions(request, options);
    },
  };
  expect(await give(here, unwell)).toBe(91);
  expect([here.registry.count(), there.registry.count()]).toEqual([0, 91]);
});

test('stopping replicas are tried once', async () => {
  const { here, there } = await stage();
  there.isDraining = true;
  let asked = 0;
  const stopping: Peer = {
    ...there.peer,
    prepareSessions: (request, options) => {
      asked++;
      return there.peer.prepareSessions(request, options);
    },
  };
  expect(await give(here, here.peer, stopping)).toBe(0);
  expect([asked, here.registry.count()]).toEqual([1, 1]);
});

/** Accepts sessions, and has their clients resume at a replica before it answers. */
function resumedMeanwhile(at: Replica, resume: () => Promise<TestConnection>): Peer {
  return {
    ...at.peer,
    acceptSessions: async (request, options) => {
      const accepted = await at.peer.acceptSessions(request, options);
      resumes.push(resume());
      return accepted;
    },
  };
}
const resumes: Promise<TestConnection>[] = [];

test('a session that is resumed elsewhere during its transfer exists only there', async () => {
  const { auth, chat, here, there, token, session_id } = await stage();
  const third = await replica(chat, auth);
  third.peers.push(here.peer, there.peer);
  await give(
    here,
    resumedMeanwhile(there, () => third.resume(token, session_id, 3)),
  );
  expect((await resumes.pop())?.isAccepted()).toBe(true);
  expect([here, there, third].map(({ registry }) => registry.count())).toEqual([0, 0, 1]);
});

test('a session that is resumed at its new replica during the transfer exists once, and continues', async () => {
  const { chat, here, there, token, session_id } = await stage();
  there.peers.push(here.peer, there.peer);
  const early: Peer = {
    ...there.peer,
    acceptSessions: async (request, options) => {
      resumes.push(there.resume(token, session_id, 3));
      const asked = here.registry.count();
      await until(() => there.world.account(ANN) !== undefined && asked === 1);
      return there.peer.acceptSessions(request, options);
    },
  };
  await give(here, early);
  const resumed = await resumes.pop();
  chat.write(message(GENERAL, 'later'));
  await until(() => resumed?.sent.some(({ d }) => d?.content === 'later') === true);
  expect(resumed?.sent.map(({ s }) => s)).toEqual([4, 5]);
  expect([here, there].map(({ registry }) => registry.count())).toEqual([0, 1]);
  expect(there.world.account(ANN)?.sessions.size).toBe(1);
});

test('sessions are accepted all or none, and not by a stopping replica', async () => {
  const { here, there } = await stage();
  const session = {
    id: 'one',
    credential_id: '501',
    bot: false,
    seq: 3,
    sent: 3,
    positions: [],
    user_digest: '',
    left_ms: 60_000,
  };
  const prepared = await there.peer.prepareSessions({ account_ids: [ANN] }, OPTIONS);
  const sessions = [
    { ...session, account_id: ANN },
    { ...session, id: 'two', account_id: OWNER },
  ];
  await expect(
    there.peer.acceptSessions({ sessions, cursor: prepared.cursor }, OPTIONS),
  ).rejects.toMatchObject({
    reason: 'BAD_REQUEST',
  });
  expect([there.registry.count(), there.world.size().accounts]).toEqual([0, 0]);
  const again = await there.peer.prepareSessions({ account_ids: [ANN] }, OPTIONS);
  there.isDraining = true;
  const one = { sessions: sessions.slice(0, 1), cursor: again.cursor };
  await expect(there.peer.acceptSessions(one, OPTIONS)).rejects.toMatchObject({
    reason: 'STOPPING',
  });
  await expect(here.peer.prepareSessions({ account_ids: [ANN] }, OPTIONS)).rejects.toMatchObject({
    reason: 'STOPPING',
  });
  expect(there.registry.count()).toBe(0);
});

/** The account names that a client received. */
function namesReceived({ sent }: TestConnection): string[] {
  return sent.filter(({ t }) => t === 'USER_UPDATE').flatMap(({ d }) => d?.username ?? []);
}

test('a change of the account that the former replica has not sent is sent by the new one', async () => {
  const { auth, here, there, token, session_id } = await stage();
  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const read = auth.currentUsers;
  auth.rename(ANN, 'new');
  await until(() => auth.currentUsers > read);
  there.sessionHandler.userUpdated(ANN); // as the log reports it, sooner or later
  expect(await give(here, there.peer)).toBe(1);
  gate.resolve();
  const again = await there.resume(token, session_id, 3);
  await until(() => namesReceived(again).length > 0);
  expect(namesReceived(again)).toEqual(['new']);
});

test('a change of the account that the former replica has sent is not sent again', async () => {
  const { auth, here, there, token, session_id } = await stage();
  auth.rename(ANN, 'new');
  await until(() => here.registry.get(session_id)?.buffer.last() === 4);
  there.sessionHandler.userUpdated(ANN);
  expect(await give(here, there.peer)).toBe(1);
  const again = await there.resume(token, session_id, 3);
  await until(() => again.sent.length >= 2);
  auth.rename(ANN, 'newer');
  await until(() => namesReceived(again).includes('newer'));
  expect(again.received()).toEqual(['4 USER_UPDATE', '5 RESUMED', '6 USER_UPDATE']);
  expect(namesReceived(again)).toEqual(['new', 'newer']);
});

test('a wrong Resume does not claim a session from another replica', async () => {
  const { here, there, token, session_id } = await stage();
  const hanging = await here.resume(token, session_id, 3);
  await until(() => hanging.sent.length === 1);
  there.peers.push(here.peer);
  for (const seq of [5, -1])
    expect((await there.resume(token, session_id, seq)).closedWith()).toBe(CloseCode.INVALID_SEQUENCE);
  expect((await there.resume(token, session_id, 0)).refused).toEqual([false]); // READY is not kept
  expect(hanging.closedWith()).toBeUndefined();
  expect([here, there].map(({ registry }) => registry.count())).toEqual([1, 0]);
});

test('a replica that hangs delays Resumes once for long, and then briefly', async () => {
  const { here, there, token, session_id } = await stage();
  const asked: number[] = [];
  const hanging: Peer = {
    ...there.peer,
    releaseSession: async (_, { timeoutMs }) => {
      asked.push(timeoutMs);
      await sleep(timeoutMs);
      throw deadlineExceeded(new Error('scripted'));
    },
  };
  there.peers.push(hanging, here.peer);
  expect((await there.resume(token, 'perhaps its', 3)).closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  const took_ms = processStopwatch();
  expect((await there.resume(token, session_id, 3)).isAccepted()).toBe(true);
  expect(took_ms()).toBeLessThan(2_000);
  expect(asked).toEqual([3_000, 300]);
});

test('sessions of a replica that does not answer are given up after ten seconds, and not before', async () => {
  const { there, token } = await stage();
  let isSilent = true;
  const silent: Peer = {
    ...there.peer,
    releaseSession: (request, options) =>
      isSilent
        ? Promise.reject(deadlineExceeded(new Error('scripted')))
        : there.peer.releaseSession(request, options),
  };
  there.peers.push(silent);
  const now = performance.now.bind(performance);
  let later_ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later_ms);
  onTestFinished(() => void vi.restoreAllMocks());
  const resumed = async () => {
    const { refused, closedWith } = await there.resume(token, 'perhaps its', 3);
    return closedWith() ?? refused[0];
  };
  expect(await resumed()).toBe(CloseCode.UNKNOWN_ERROR);
  later_ms = 8_000;
  expect(await resumed()).toBe(CloseCode.UNKNOWN_ERROR);
  later_ms = 11_000;
  expect(await resumed()).toBe(false);
  isSilent = false;
  expect(await resumed()).toBe(false);
  isSilent = true;
  expect(await resumed(), 'the replica answered in between').toBe(CloseCode.UNKNOWN_ERROR);
});

test('a session is released only for its own credential', async () => {
  const { chat, here, session_id } = await stage();
  const own = { session_id, account_id: ANN, credential_id: '501', cursor: chat.log.cursor(), seq: 1 };
  for (const wrong of [{ account_id: OWNER }, { credential_id: '502' }, { session_id: 'another' }])
    expect((await here.peer.releaseSession({ ...own, ...wrong }, OPTIONS)).session).toBeNull();
  const { session } = await here.peer.releaseSession(own, OPTIONS);
  expect(session).toMatchObject({
    id: session_id,
    seq: 3,
    positions: [{ event_id: '1' }, { event_id: '2' }],
  });
  expect(here.registry.count()).toBe(0);
});
