import { unavailable } from '@gatehouse/kit/fault';
import { expect, test } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { ANN, chatOf, GENERAL, message, OWNER } from '../support/cast.ts';
import { type Replica, replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import type { TestConnection } from '../support/test-connection.ts';
import { until } from '../support/until.ts';

/** ann has a session with three messages, and has lost her connection. */
async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  const here = await replica(chat, auth);
  const token = auth.token(ANN, '501');
  const ann = await here.identify(token);
  await until(() => ann.sent.length === 1);
  const session_id = ann.sessionId();
  for (const content of ['one', 'two', 'three']) chat.write(message(GENERAL, content));
  await until(() => ann.sent.length === 4);
  here.sessionHandler.ended(ann, undefined);
  return { chat, auth, here, token, session_id, ann };
}

const FROM_TWO = ['3 MESSAGE_CREATE', '4 MESSAGE_CREATE'];

test('sends the events after `seq` in order, then RESUMED, then new events', async () => {
  const { chat, here, token, session_id, ann } = await stage();
  chat.write(message(GENERAL, 'missed'));
  const again = await here.resume(token, session_id, 2);
  await until(() => again.sent.length === 4);
  chat.write(message(GENERAL, 'later'));
  await until(() => again.sent.length === 5);
  expect(again.received()).toEqual([...FROM_TWO, '5 MESSAGE_CREATE', '6 RESUMED', '7 MESSAGE_CREATE']);
  expect(again.sent.slice(0, 2)).toEqual(ann.sent.slice(2));
  expect(again.sent[2]?.d?.content).toBe('missed');
});

test('sends a change of the account before RESUMED, even if auth’s log has not reported it, and once', async () => {
  const { auth, here, token, session_id } = await stage();
  auth.renameUnsaid(ANN, 'new');
  const again = await here.resume(token, session_id, 4);
  await until(() => again.sent.length === 2);
  expect(again.received()).toEqual(['5 USER_UPDATE', '6 RESUMED']);
  expect(again.sent[0]?.d?.username).toBe('new');
  const before = auth.currentUsers;
  auth.rename(ANN, 'new');
  await until(() => auth.currentUsers > before);
  auth.rename(ANN, 'newer');
  await until(() => again.sent.length === 3);
  expect(again.sent[2]?.d?.username).toBe('newer');
});

test('closes its connection if the account cannot be read, and the session stays', async () => {
  const { auth, here, token, session_id } = await stage();
  auth.beforeCurrentUser = Promise.reject(unavailable(new Error('scripted')));
  auth.beforeCurrentUser.catch(() => undefined);
  const failed = await here.resume(token, session_id, 4);
  expect(failed.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  auth.beforeCurrentUser = Promise.resolve();
  const again = await here.resume(token, session_id, 4);
  await until(() => again.sent.length === 1);
  expect(again.received()).toEqual(['5 RESUMED']);
});

test('by another account is op 9 false, and the session stays', async () => {
  const { auth, here, token, session_id } = await stage();
  for (const wrong of [auth.token(OWNER, '500'), auth.token(ANN, '502'), 'token-of-nobody'])
    expect((await here.resume(wrong, session_id, 4)).refused).toEqual([false]);
  expect((await here.resume(token, 'no session', 4)).refused).toEqual([false]);
  const own = await here.resume(token, session_id, 4);
  await until(() => own.sent.length === 1);
  expect(own.received()).toEqual(['5 RESUMED']);
});

test('with a `seq` that was never sent is 4007, with a forgotten one op 9 false', async () => {
  const { here, token, session_id } = await stage();
  expect((await here.resume(token, session_id, 5)).closedWith()).toBe(CloseCode.INVALID_SEQUENCE);
  expect((await here.resume(token, session_id, -1)).closedWith()).toBe(CloseCode.INVALID_SEQUENCE);
  expect((await here.resume(token, session_id, 0)).refused).toEqual([false]); // READY is not kept
  expect((await here.resume(token, session_id, 1)).isAccepted()).toBe(true);
});

test('with the `seq` of an event that no connection was sent is 4007', async () => {
  const { chat, here, token, session_id } = await stage();
  const missed = chat.write(message(GENERAL, 'missed'));
  await until(() => here.chatLog.applied() === 3 + missed.length);
  expect((await here.resume(token, session_id, 5)).closedWith()).toBe(CloseCode.INVALID_SEQUENCE);
  const again = await here.resume(token, session_id, 4);
  await until(() => again.sent.length === 2);
  expect(again.received()).toEqual(['5 MESSAGE_CREATE', '6 RESUMED']);
  here.sessionHandler.ended(again, undefined);
  expect((await here.resume(token, session_id, 6)).isAccepted()).toBe(true);
});

test('takes over from a connection that hangs', async () => {
  const { chat, here, token, session_id } = await stage();
  const hanging = await here.resume(token, session_id, 4);
  await until(() => hanging.sent.length === 1);
  const again = await here.resume(token, session_id, 3);
  expect(hanging.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  await until(() => again.sent.length === 3);
  chat.write(message(GENERAL));
  await until(() => again.sent.length === 4);
  expect(again.received()).toEqual(['4 MESSAGE_CREATE', '5 RESUMED', '6 RESUMED', '7 MESSAGE_CREATE']);
  expect(hanging.received()).toEqual(['5 RESUMED']);
});

test('of two concurrent ones one gets the session, and each event is sent once', async () => {
  const { chat, here, token, session_id } = await stage();
  const both = await Promise.all([here.resume(token, session_id, 2), here.resume(token, session_id, 2)]);
  const isOpen = (client: TestConnection) => client.closedWith() === undefined;
  await until(() => both.filter(isOpen).length === 1);
  const [kept] = both.filter(isOpen);
  await until(() => kept?.sent.some(({ t }) => t === 'RESUMED') === true);
  chat.write(message(GENERAL));
  await until(() => kept?.sent.at(-1)?.t === 'MESSAGE_CREATE');
  expect(kept?.received().slice(0, 2)).toEqual(FROM_TWO);
  expect(kept?.sent.map(({ s }) => s)).toEqual(kept?.sent.map((_, index) => index + 3));
  expect(here.registry.connected()).toBe(1);
});

test('is op 9 false on the open connection when an event has left the log, and the session ends', async () => {
  const { chat, here, token, session_id } = await stage();
  const [, second] = chat.log.events;
  Object.assign(second ?? {}, { payload: '{}' }); // of an unknown form
  const again = await here.resume(token, session_id, 1);
  await until(() => again.refused.length === 1);
  expect([again.refused, here.registry.count()]).toEqual([[false], 0]);
});

test('ends with 4004 when the credential ends during the replay', async () => {
  const { chat, auth, here, token, session_id } = await stage();
  const gate = Promise.withResolvers<void>();
  chat.beforeEvents = gate.promise;
  const again = await here.resume(token, session_id, 1);
  auth.end('501');
  await until(() => again.closedWith() !== undefined);
  gate.resolve();
  expect(again.closedWith()).toBe(CloseCode.AUTHENTICATION_FAILED);
  expect([again.sent, here.registry.count()]).toEqual([[], 0]);
});

test('a session ends when its client closes with 1000 or 1001', async () => {
  const { here, token, session_id } = await stage();
  for (const code of [1000, 1001]) {
    const client = code === 1000 ? await here.resume(token, session_id, 4) : await here.identify(token);
    here.sessionHandler.ended(client, code);
    expect(here.registry.count()).toBe(0);
  }
  expect((await here.resume(token, session_id, 4)).refused).toEqual([false]);
});

test('a Heartbeat may have any sequence number that was sent', async () => {
  const { here, token, session_id } = await stage();
  const client = await here.resume(token, session_id, 4);
  await until(() => client.sent.length === 1);
  const beats = [null, 0, 5, 6, -1].map((seq) => here.sessionHandler.heartbeat(client, seq));
  expect(beats).toEqual([true, true, true, false, false]);
});

/** Two replicas that are each other's peers. */
async function together(one: Replica, other: Replica): Promise<void> {
  one.peers.push(one.peer, other.peer);
  other.peers.push(one.peer, other.peer);
}

test('at another replica takes over the session; its old connection is closed', async () => {
  const { chat, auth, here, token, session_id } = await stage();
  const there = await replica(chat, auth);
  await together(here, there);
  const hanging = await here.resume(token, session_id, 4);
  await until(() => hanging.sent.length === 1);
  chat.write(message(GENERAL, 'unread'));
  const again = await there.resume(token, session_id, 4);
  await until(() => hanging.closedWith() !== undefined && again.sent.length === 3);
  chat.write(message(GENERAL, 'later'));
  await until(() => again.sent.length === 4);
  expect(again.received()).toEqual(['5 RESUMED', '6 MESSAGE_CREATE', '7 RESUMED', '8 MESSAGE_CREATE']);
  expect([here.registry.count(), there.registry.count()]).toEqual([0, 1]);
});

test('two concurrent ones at another replica: one gets the session', async () => {
  const { chat, auth, here, token, session_id } = await stage();
  const there = await replica(chat, auth);
  await together(here, there);
  let seq = 2;
  for (let turn = 0; turn < 5; turn++) {
    const to = turn % 2 === 0 ? there : here;
    const had = seq;
    const clients = await Promise.all([1, 2, 3].map(() => to.resume(token, session_id, seq)));
    await until(
      () => clients.filter((client) => client.isAccepted() && client.closedWith() === undefined).length === 1,
    );
    const kept = clients.find((client) => client.isAccepted() && client.closedWith() === undefined);
    chat.write(message(GENERAL, `turn ${turn}`));
    const hasAll = () => kept?.sent.some(({ d }) => d?.content === `turn ${turn}`) === true;
    await until(hasAll);
    expect(kept?.sent.map(({ s }) => s)).toEqual(kept?.sent.map((_, index) => had + index + 1));
    seq = kept?.sent.at(-1)?.s ?? 0;
    expect(to.registry.connected()).toBe(1);
    expect(here.registry.count() + there.registry.count()).toBe(1);
  }
});

test('is refused if the credential ends while the session is transferred', async () => {
  const { chat, auth, here, token, session_id } = await stage();
  const there = await replica(chat, auth);
  await together(here, there);
  const gate = Promise.withResolvers<void>();
  chat.beforeStates = gate.promise;
  const client = there.connect();
  const before = chat.states;
  there.sessionHandler.resume(client, { token, session_id, seq: 4 });
  await until(() => chat.states > before);
  there.sessionHandler.credentialEnded('501'); // as the log reports it; the other replica learns of it later
  gate.resolve();
  await until(() => client.refused.length === 1);
  expect([client.isAccepted(), there.registry.count()]).toEqual([false, 0]);
});
