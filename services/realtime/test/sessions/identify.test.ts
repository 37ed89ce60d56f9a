import { Fault, Status } from '@gatehouse/kit/fault';
import { expect, test } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { ANN, chatOf, GENERAL, GUILD, message, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';

async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  return { chat, auth };
}

test('receives READY, and then events', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth);
  const ann = await here.identify(auth.token(ANN, '501'));
  await until(() => ann.sent.length === 1);
  expect(ann.sent[0]?.d).toMatchObject({ user: { id: ANN }, guilds: [{ id: GUILD, members: [{}] }] });
  chat.write(message(GENERAL));
  await until(() => ann.sent.length === 2);
  expect(ann.received()).toEqual(['1 READY', '2 MESSAGE_CREATE']);
});

test('is closed with 4004 for an invalid token, and for one that ends meanwhile', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth);
  expect((await here.identify('token-of-nobody')).closedWith()).toBe(CloseCode.AUTHENTICATION_FAILED);

  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const late = here.connect();
  here.sessionHandler.identify(late, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => here.world.account(ANN) !== undefined);
  auth.end('501');
  here.sessionHandler.credentialEnded('501'); // as the log reports it, sooner or later
  gate.resolve();
  await until(() => late.closedWith() !== undefined);
  expect(late.closedWith()).toBe(CloseCode.AUTHENTICATION_FAILED);
  expect([late.sent, here.registry.count()]).toEqual([[], 0]);
  await until(() => here.world.size().accounts === 0);
});

test('of a disconnected client leaves nothing behind', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth);
  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const gone = here.connect();
  here.sessionHandler.identify(gone, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => here.world.account(ANN) !== undefined);
  here.sessionHandler.ended(gone, undefined);
  gate.resolve();
  await until(() => here.world.size().accounts === 0);
  expect([gone.sent, here.registry.count()]).toEqual([[], 0]);
});

test('shows the current account when it changes meanwhile', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth);
  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const ann = here.connect();
  here.sessionHandler.identify(ann, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => here.world.account(ANN) !== undefined);
  auth.rename(ANN, 'new');
  here.sessionHandler.userUpdated(ANN); // as the log reports it, sooner or later
  gate.resolve();
  await until(() => ann.sent.length > 0);
  expect(ann.sent[0]?.d?.user?.username).toBe('new');
});

test("over the account's session limit is refused, and a concurrent one succeeds", async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth, { max_sessions_per_account: 1 });
  const token = auth.token(ANN, '501');
  const both = await Promise.all([here.identify(token), here.identify(token)]);
  const open = both.filter((client) => client.closedWith() === undefined);
  expect(open).toHaveLength(1);
  chat.write(message(GENERAL));
  await until(() => open[0]?.sent.length === 2);
  expect(here.registry.count()).toBe(1);
});

test("ends the oldest unused session at the account's limit", async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth, { max_sessions_per_account: 2 });
  const token = auth.token(ANN, '501');
  const [first, second] = [await here.identify(token), await here.identify(token)];
  const refused = await here.identify(token);
  expect(refused.closedWith()).toBe(CloseCode.RATE_LIMITED);
  here.sessionHandler.ended(first, undefined);
  await here.identify(token);
  expect(here.registry.count()).toBe(2);
  expect(second.closedWith()).toBeUndefined();
});

test('is closed when events are lost meanwhile, and the next one succeeds', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth);
  const other = await here.identify(auth.token(OWNER, '500'));
  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const ann = here.connect();
  here.sessionHandler.identify(ann, { token: auth.token(ANN, '501'), shard: undefined });
  await until(() => here.world.account(ANN) !== undefined);
  chat.log.forget();
  await until(() => other.closedWith() !== undefined);
  gate.resolve();
  await until(() => ann.closedWith() !== undefined);
  expect(ann.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  expect(here.world.size()).toEqual({ guilds: 0, accounts: 0, channels: 0 });
  const again = await here.identify('token-501');
  chat.write(message(GENERAL));
  await until(() => again.sent.length === 2);
});

test('waits its turn, and is closed with 4000 during an outage', async () => {
  const { chat, auth } = await stage();
  const here = await replica(chat, auth, { max_identifies: 1 });
  const gate = Promise.withResolvers<void>();
  auth.beforeCurrentUser = gate.promise;
  const token = auth.token(ANN, '501');
  const [first, second] = [here.connect(), here.connect()];
  for (const client of [first, second]) here.sessionHandler.identify(client, { token, shard: undefined });
  await until(() => here.world.account(ANN) !== undefined);
  gate.resolve();
  await until(() => first.isAccepted() && second.isAccepted());
  auth.isAway = true;
  expect((await here.identify(token)).closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
});

const tooLong = () => new Fault({ status: Status.INTERNAL, reason: 'INTERNAL', message: 'Too long.' });

test("loads an account's guilds in several responses if they do not fit into one", async () => {
  const { chat, auth } = await stage();
  const ids = Array.from({ length: 7 }, (_, n) => String(100 + n));
  const [guild] = chat.plain.guilds;
  if (guild === undefined) throw new Error('there is a guild');
  chat.plain = { ...chat.plain, guilds: ids.map((id) => ({ ...guild, row: { ...guild.row, id } })) };
  chat.statesFail = (guild_ids) => (guild_ids.length > 2 ? tooLong() : undefined);
  const here = await replica(chat, auth);
  const ann = await here.identify(auth.token(ANN, '501'));
  await until(() => ann.sent.length === 1);
  expect(ann.sent[0]?.d?.guilds?.map(({ id }) => id).sort()).toEqual(ids);
});

test('of an account that cannot be loaded does not affect others in its batch', async () => {
  const { chat, auth } = await stage();
  const BEN = '1003';
  chat.statesFail = (_, account_ids) => (account_ids.includes(BEN) ? tooLong() : undefined);
  const here = await replica(chat, auth);
  const [ben, ann, owner] = await Promise.all([
    here.identify(auth.token(BEN, '503')),
    here.identify(auth.token(ANN, '501')),
    here.identify(auth.token(OWNER, '500')),
  ]);
  expect(ben.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  expect([ann.isAccepted(), owner.isAccepted()]).toEqual([true, true]);
});
