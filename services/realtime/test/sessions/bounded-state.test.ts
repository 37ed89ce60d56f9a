import { expect, test } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { ANN, GENERAL, GUILD, guildOf, message, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';
import { channel, guildRow, member, overwrite, type PlainGuild, role } from '../world/rows.ts';

const HOG = '1003';
const MiB = 1024 * 1024;

/** A guild of about 1.2 MB. */
function large(id: string, ...accounts: readonly string[]): PlainGuild {
  const permission_overwrites = Array.from({ length: 100 }, (_, n) => overwrite(`9${n}`, 1, 0n, 0n));
  return {
    row: guildRow(id, HOG),
    roles: [role(id, 1024n)],
    channels: Array.from({ length: 120 }, (_, n) => channel(`${id}${n}`, id, { permission_overwrites })),
    members: accounts.map((account) => member(account)),
  };
}

async function stage(guilds: readonly PlainGuild[], bounds: Parameters<typeof replica>[2]) {
  const [chat, auth] = await Promise.all([scriptedChat({ guilds, private_channels: {} }), scriptedAuth()]);
  return { chat, auth, here: await replica(chat, auth, bounds) };
}

test('an account whose guilds need more than half of the free budget must try again; others are not affected', async () => {
  const guilds = [guildOf(OWNER, ANN), ...['31', '32', '33'].map((id) => large(id, HOG))];
  const { auth, here } = await stage(guilds, { max_state_bytes: 4 * MiB });
  // Concurrently: they share calls.
  const [hog, ann] = await Promise.all([
    here.identify(auth.token(HOG, '503')),
    here.identify(auth.token(ANN, '502')),
  ]);
  expect(hog.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  expect(ann.closedWith()).toBeUndefined();
  await until(() => ann.sent.length === 1);
  await until(() => here.world.account(HOG) === undefined);
  expect(here.world.guild('31')).toBeUndefined();
  expect(here.stateBudget.bytes()).toBeLessThan(MiB);
});

test('an account whose private channels need more than half of the free budget must try again', async () => {
  const private_channels = { [HOG]: Array.from({ length: 2_000 }, (_, n) => channel(`7${n}`, null)) };
  const chat = await scriptedChat({ guilds: [guildOf(OWNER, ANN)], private_channels });
  const auth = await scriptedAuth();
  const here = await replica(chat, auth, { max_state_bytes: 2 * MiB });
  const hog = await here.identify(auth.token(HOG, '503'));
  expect(hog.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  const ann = await here.identify(auth.token(ANN, '502'));
  expect(ann.closedWith()).toBeUndefined();
});

test('accounts with most state give way to those with far less', async () => {
  const small = ['2001', '2002', '2003'];
  const guilds = [
    guildOf(OWNER, ANN),
    ...['31', '32', '33'].map((id) => large(id, HOG)),
    ...small.map((account, n) => large(`4${n}`, account)),
  ];
  const { chat, auth, here } = await stage(guilds, { max_state_bytes: 8 * MiB });
  const hog = await here.identify(auth.token(HOG, '503'));
  expect(hog.closedWith()).toBeUndefined();
  const clients = [];
  for (const account of small) clients.push(await here.identify(auth.token(account, `60${account}`)));
  expect(hog.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  expect(clients.map((client) => client.closedWith())).toEqual([undefined, undefined, undefined]);
  expect(here.world.guild('31')).toBeUndefined();

  const again = await here.identify(auth.token(HOG, '503'));
  expect(again.closedWith(), 'does not displace accounts with less').toBe(CloseCode.UNKNOWN_ERROR);
  const ann = await here.identify(auth.token(ANN, '502'));
  await until(() => ann.sent.length === 1);
  chat.write(message(GENERAL));
  await until(() => ann.received().at(-1) === '2 MESSAGE_CREATE');
});

test('a guild that exceeds the budget ends the sessions of the account that joined it, and no others', async () => {
  const { chat, auth, here } = await stage([guildOf(OWNER, ANN)], { max_state_bytes: 2 * MiB });
  const ann = await here.identify(auth.token(ANN, '502'));
  const owner = await here.identify(auth.token(OWNER, '501'));
  await until(() => ann.sent.length === 1 && owner.sent.length === 1);
  chat.plain = { ...chat.plain, guilds: [...chat.plain.guilds, large('31', OWNER)] };
  chat.write(['GUILD_CREATE', { id: '31' }, { guild_id: '31', account_ids: [OWNER] }]);
  await until(() => owner.closedWith() !== undefined);
  expect(owner.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  chat.write(message(GENERAL));
  await until(() => ann.received().at(-1) === '2 MESSAGE_CREATE');
  expect([here.world.guild('31'), here.world.guild(GUILD)?.id]).toEqual([undefined, GUILD]);
});

test('large READYs are made within a budget; larger ones are refused, and small ones do not wait', async () => {
  const guilds = [guildOf(ANN), ...['31', '32'].map((id) => large(id, HOG)), large('33', OWNER)];
  const { auth, here } = await stage(guilds, { max_ready_bytes: 2 * MiB });
  const owner = auth.token(OWNER, '501');
  const clients = await Promise.all([
    ...Array.from({ length: 8 }, () => here.identify(owner)),
    here.identify(auth.token(ANN, '502')),
  ]);
  expect(clients.map((client) => client.closedWith())).toEqual(clients.map(() => undefined));
  const hog = await here.identify(auth.token(HOG, '503'));
  expect(hog.closedWith()).toBe(CloseCode.UNKNOWN_ERROR);
  await until(() => here.readyBudget.bytes() === 0);
});
