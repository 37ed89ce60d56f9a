import { Permission } from '@gatehouse/chat-client/permissions';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { Fault, Status } from '@gatehouse/kit/fault';
import { describe, expect, test } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { dispatchData } from '../../src/connections/dispatch.ts';
import { ANN, chatOf, GENERAL, GUILD, guildOf, message, OWNER, SECRET, STAFF } from '../support/cast.ts';
import { type Replica, replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { type ScriptedChat, scriptedChat, type Written } from '../support/scripted-chat.ts';
import type { Sent } from '../support/test-connection.ts';
import { until } from '../support/until.ts';
import { channel, member, overwrite, role } from '../world/rows.ts';

async function stage(plain = chatOf(OWNER, ANN)) {
  const [chat, auth] = await Promise.all([scriptedChat(plain), scriptedAuth()]);
  const here = await replica(chat, auth);
  return { chat, auth, here };
}

const never = new AbortController().signal;

test('an event that cannot be delivered does not stop the log, and no other is repeated', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  here.world.account(ANN)?.sessions.add({
    receive: ({ dispatch }) => {
      if (dispatchData(dispatch).includes('poison')) throw new Error('broken');
    },
  });
  chat.write(message(GENERAL, 'before'), message(GENERAL, 'poison'), message(GENERAL, 'after'));
  await until(() => ann.sent.at(-1)?.d?.content === 'after');
  expect(ann.sent.flatMap(({ d }) => d?.content ?? [])).toEqual(['before', 'poison', 'after']);
  expect(await here.chatLog.betweenTransactions(never, () => 'rests')).toBe('rests');
});

test('an event that is not JSON is skipped', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  const [type, payload, place] = message(GENERAL);
  const event = { type, ...place, account_ids: [], created_at: '2026-03-14T09:30:00.000Z' };
  chat.log.write(
    { ...event, id: '1', payload: 'no JSON', xact_id: '1' },
    { ...event, id: '2', payload: JSON.stringify(payload), xact_id: '2' },
  );
  await until(() => ann.sent.length === 2);
  expect(ann.sent[1]?.d?.id).toBe(payload.id);
});

test('a failure between transactions rejects its caller; the log continues without repetition', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  chat.write(message(GENERAL));
  const failing = here.chatLog.betweenTransactions(
    never,
    () => {
      throw new Error('broken');
    },
    { text: '2:2:', xmin: 2n, xmax: 2n, running: [] },
  );
  await expect(failing).rejects.toThrow('broken');
  chat.write(message(GENERAL));
  await until(() => ann.sent.length >= 3);
  expect(ann.received()).toEqual(['1 READY', '2 MESSAGE_CREATE', '3 MESSAGE_CREATE']);
});

test('after an outage of auth events wait until revocations are known', async () => {
  const { chat, auth, here } = await stage();
  const [ann, owner] = [
    await here.identify(auth.token(ANN, '501')),
    await here.identify(auth.token(OWNER, '500')),
  ];
  auth.isAway = true;
  auth.log.set('hangs');
  chat.write(message(GENERAL)); // The request for its author fails.
  await until(() => here.chatLog.age_ms() === 0);
  auth.end('501');
  await until(() => here.authLog.age_ms() > 1_100); // The log is silent for too long.
  const asked = auth.lookups;
  auth.isAway = false; // Its RPCs answer before its log does.
  await until(() => auth.lookups > asked);
  await auth.client.getUsers({ ids: [] }, { timeoutMs: 5_000 }); // The answer has arrived by then.
  expect([ann.received(), owner.received()]).toEqual([['1 READY'], ['1 READY']]);
  auth.log.set('answers');
  await until(() => owner.sent.length === 2);
  expect(ann.received()).toEqual(['1 READY']);
  expect(ann.closedWith()).toBe(CloseCode.AUTHENTICATION_FAILED);
});

test('sessions end when events are lost, and new ones receive events', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  chat.log.forget();
  await until(() => ann.closedWith() !== undefined);
  expect(ann.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  const again = await here.identify('token-501');
  chat.write(message(GENERAL));
  await until(() => again.sent.length === 2);
});

test('an account that is loaded while its guild changes sees the current guild', async () => {
  const { chat, auth, here } = await stage();
  await here.identify(auth.token(OWNER, '500'));
  const gate = Promise.withResolvers<void>();
  chat.beforeStates = gate.promise;
  const ann = here.connect();
  const before = chat.states;
  here.sessionHandler.identify(ann, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => chat.states > before);
  const named = { guild_id: GUILD, member: member(ANN, [STAFF]) };
  chat.write(['GUILD_MEMBER_UPDATE', named, { guild_id: GUILD }]);
  chat.write([
    'CHANNEL_CREATE',
    channel('23', GUILD, { position: 2 }),
    { guild_id: GUILD, channel_id: '23' },
  ]);
  gate.resolve();
  await until(() => ann.sent.length > 0);
  const [guild] = ann.sent[0]?.d?.guilds ?? [];
  expect(guild?.channels.map(({ id }) => id)).toEqual([GENERAL, SECRET, '23']);
  chat.write(message(SECRET));
  await until(() => ann.sent.length === 2);
  expect(ann.received()).toEqual(['1 READY', '2 MESSAGE_CREATE']);
});

test('both logs close at once while an event of one waits for the other', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  await until(() => ann.sent.length === 1);
  auth.log.set('hangs');
  await until(() => here.authLog.age_ms() > 1_100);
  const read = chat.log.next();
  chat.write(message(GENERAL));
  await until(() => here.chatLog.age_ms() === 0 && chat.log.next() > read);
  const took_ms = processStopwatch();
  await Promise.all([here.authLog.close(), here.chatLog.close()]);
  expect(took_ms()).toBeLessThan(1_000);
  expect(ann.received()).toEqual(['1 READY']);
});

test('state that was read before events were lost is not used', async () => {
  const { chat, auth, here } = await stage();
  const other = await here.identify(auth.token(OWNER, '500'));
  const gate = Promise.withResolvers<void>();
  chat.beforeStates = gate.promise;
  const ann = here.connect();
  const before = chat.states;
  here.sessionHandler.identify(ann, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => chat.states > before);
  // No replica receives it: the log continues after it.
  chat.log.set('hangs');
  chat.write(['GUILD_ROLE_UPDATE', { guild_id: GUILD, role: role(GUILD, 0n) }, { guild_id: GUILD }]);
  chat.log.forget();
  chat.log.set('answers');
  await until(() => other.closedWith() !== undefined);
  gate.resolve();
  await until(() => ann.closedWith() !== undefined || ann.sent.length > 0);
  expect([ann.closedWith(), ann.sent]).toEqual([CloseCode.UNKNOWN_ERROR, []]);
  const again = await here.identify('token-501');
  await until(() => again.sent.length > 0);
  expect(again.sent[0]?.d?.guilds?.[0]?.channels).toEqual([]);
});

const joined = { guild_id: GUILD, member: member(ANN), member_count: 2 };
const JOIN = [
  ['GUILD_MEMBER_ADD', joined, { guild_id: GUILD }],
  ['GUILD_CREATE', { guild_id: GUILD }, { guild_id: GUILD, account_ids: [ANN] }],
] as const;
const gone = { guild_id: GUILD, account_id: ANN, member_count: 1 };
const LEAVE = [
  ['GUILD_MEMBER_REMOVE', gone, { guild_id: GUILD }],
  ['GUILD_DELETE', { guild_id: GUILD }, { guild_id: GUILD, account_ids: [ANN] }],
] as const;

const put = (type: string, row: ReturnType<typeof channel>) =>
  [type, row, { guild_id: GUILD, channel_id: row.id }] as const;
const HIDDEN = { permission_overwrites: [overwrite(GUILD, 0, 0n, Permission.VIEW_CHANNEL)] };

const channelsIn = (received: Sent | undefined) => received?.d?.channels?.map(({ id }) => id);

/** ann has no guild when these events are written, in one response. */
async function joinLater(...events: readonly Written[]) {
  const { chat, auth, here } = await stage(chatOf(OWNER));
  const ann = await here.identify(auth.token(ANN, '501'));
  chat.write(...events);
  await caughtUp(here, chat);
  return { ann, here };
}

/** All written events are delivered. */
async function caughtUp({ chatLog }: Replica, { log }: ScriptedChat): Promise<void> {
  await chatLog.betweenTransactions(
    AbortSignal.timeout(10_000),
    () => undefined,
    readCursor(log.cursor()).seen,
  );
}

describe('a guild that a followed account joins', () => {
  test('is sent as it was at the event, even if its channels were hidden, shown, created and deleted since', async () => {
    const { ann } = await joinLater(
      ...JOIN,
      message(GENERAL, 'before'),
      put('CHANNEL_CREATE', channel('23', GUILD, { position: 2 })),
      put('CHANNEL_UPDATE', channel(GENERAL, GUILD, HIDDEN)),
      message(GENERAL, 'hidden'),
      message(SECRET, 'still hidden'),
      put('CHANNEL_UPDATE', channel(SECRET, GUILD, { position: 1 })),
      message(SECRET, 'open'),
      message('23', 'last'),
      put('CHANNEL_DELETE', channel('23', GUILD, { position: 2 })),
    );
    expect(channelsIn(ann.sent[1])).toEqual([GENERAL]);
    expect(ann.sent.slice(1).map(({ t, d }) => [t, d?.content ?? d?.id])).toEqual([
      ['GUILD_CREATE', GUILD],
      ['MESSAGE_CREATE', 'before'],
      ['CHANNEL_CREATE', '23'],
      ['CHANNEL_DELETE', GENERAL],
      ['CHANNEL_CREATE', SECRET],
      ['MESSAGE_CREATE', 'open'],
      ['MESSAGE_CREATE', 'last'],
      ['CHANNEL_DELETE', '23'],
    ]);
  });

  test('is sent to an account that has left it again', async () => {
    const { ann, here } = await joinLater(...JOIN, message(GENERAL), ...LEAVE, message(GENERAL));
    expect(ann.received()).toEqual(['1 READY', '2 GUILD_CREATE', '3 MESSAGE_CREATE', '4 GUILD_DELETE']);
    expect(here.world.size()).toMatchObject({ accounts: 1, guilds: 0 });
  });

  test('is sent after it is deleted', async () => {
    const { ann, here } = await joinLater(...JOIN, message(GENERAL), [
      'GUILD_DELETE',
      { guild_id: GUILD },
      { guild_id: GUILD },
    ]);
    expect(ann.received()).toEqual(['1 READY', '2 GUILD_CREATE', '3 MESSAGE_CREATE', '4 GUILD_DELETE']);
    expect(here.world.size()).toMatchObject({ accounts: 1, guilds: 0 });
  });

  test("is removed when its accounts' sessions end during the load", async () => {
    const { chat, auth, here } = await stage(chatOf(OWNER));
    const ann = await here.identify(auth.token(ANN, '501'));
    const gate = Promise.withResolvers<void>();
    chat.beforeStates = gate.promise;
    const before = chat.states;
    chat.write(...JOIN, message(GENERAL));
    await until(() => chat.states > before);
    auth.end('501');
    await until(() => ann.closedWith() !== undefined);
    gate.resolve();
    await caughtUp(here, chat);
    expect(here.world.size()).toMatchObject({ accounts: 0, guilds: 0 });
  });

  test('is sent in its current state if no state is stored with the event', async () => {
    const { chat, auth, here } = await stage(chatOf(OWNER));
    const ann = await here.identify(auth.token(ANN, '501'));
    chat.storesStates = false;
    chat.write(...JOIN, put('CHANNEL_CREATE', channel('23', GUILD, { position: 2 })), message('23'));
    await until(() => ann.sent.at(-1)?.t === 'MESSAGE_CREATE');
    expect(channelsIn(ann.sent[1])).toEqual([GENERAL, '23']);
    chat.write(...LEAVE, ...JOIN, message(GENERAL), ...LEAVE, message(GENERAL));
    await caughtUp(here, chat);
    expect(ann.sent.at(-1)?.t).toBe('GUILD_DELETE');
    expect(here.world.size()).toMatchObject({ accounts: 1, guilds: 0 });
  });
});

test('a guild that can never be loaded does not stop the log', async () => {
  const { chat, auth, here } = await stage({
    ...chatOf(OWNER),
    private_channels: { [ANN]: [channel('31', null, { recipient_ids: [ANN, OWNER] })] },
  });
  const ann = await here.identify(auth.token(ANN, '501'));
  chat.statesFail = () =>
    new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message: 'Never.' });
  chat.write(['GUILD_CREATE', { guild_id: '99', guild: guildOf() }, { guild_id: '99', account_ids: [ANN] }]);
  const [type, payload] = message('31');
  chat.write([type, payload, { channel_id: '31', account_ids: [ANN] }]);
  await expect.poll(() => ann.received(), { timeout: 25_000 }).toEqual(['1 READY', '2 MESSAGE_CREATE']);
});

test('messages in a channel that a role hides are delivered up to that event only', async () => {
  const { chat, auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  const rights = (bits: bigint) =>
    ['GUILD_ROLE_UPDATE', { guild_id: GUILD, role: role(GUILD, bits) }, { guild_id: GUILD }] as const;
  chat.write(
    message(GENERAL, 'before'),
    rights(0n),
    message(GENERAL, 'hidden'),
    rights(Permission.VIEW_CHANNEL),
    message(GENERAL, 'after'),
  );
  await until(() => ann.sent.at(-1)?.d?.content === 'after');
  expect(ann.sent.flatMap(({ d }) => d?.content ?? [])).toEqual(['before', 'after']);
});
