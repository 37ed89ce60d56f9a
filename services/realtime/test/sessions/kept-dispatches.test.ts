import { expect, test } from 'vitest';
import { CloseCode } from '../../src/connections/connection.ts';
import { dispatchOf } from '../../src/connections/dispatch.ts';
import { KeptDispatches } from '../../src/sessions/kept-dispatches.ts';
import { ReplayBuffer } from '../../src/sessions/replay-buffer.ts';
import { ANN, chatOf, GENERAL, message, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';

/** A replica whose limit is lower than one GUILD_CREATE. */
async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  return { chat, auth, here: await replica(chat, auth, { max_kept_bytes: 50 }) };
}

test('over the limit a session forgets kept dispatches: its client identifies again, and others continue', async () => {
  const { chat, auth, here } = await stage();
  const token = `${auth.token(ANN, '501')}.bot`;
  const bot = await here.identify(token);
  await until(() => bot.sent.length === 2);
  expect(bot.received()).toEqual(['1 READY', '2 GUILD_CREATE']);
  const other = await here.identify(token);
  await until(() => other.sent.length === 2);
  chat.write(message(GENERAL));
  await until(() => bot.sent.length === 3 && other.sent.length === 3);

  const session_id = bot.sessionId();
  here.sessionHandler.ended(bot, undefined);
  expect((await here.resume(token, session_id, 1)).refused).toEqual([false]);
  const again = await here.resume(token, session_id, 2);
  await until(() => again.sent.length === 2);
  expect(again.received()).toEqual(['3 MESSAGE_CREATE', '4 RESUMED']);
});

test('over the limit a client that does not read its READY is ended first', async () => {
  const { auth, here } = await stage();
  const token = `${auth.token(ANN, '501')}.bot`;
  const slow = here.connect();
  slow.waiting = 1_000_000;
  here.sessionHandler.identify(slow, { token, shard: undefined });
  await until(slow.isAccepted);
  const next = await here.identify(token);
  await until(() => next.sent.length === 2);
  expect([slow.closedWith(), next.closedWith()]).toEqual([CloseCode.UNKNOWN_ERROR, undefined]);
  expect(here.registry.count()).toBe(1);
});

test('a dispatch that many sessions keep is counted once', async () => {
  const kept = new KeptDispatches();
  const [one, other] = [0, 1].map(() => new ReplayBuffer({ max_positions: 100, kept }));
  const shared = dispatchOf('GUILD_UPDATE', '{}');
  for (const list of [one, other]) for (const position of [1, shared, 3]) list?.push(position);
  expect(kept.bytes()).toBe(shared.rest.length);
  one?.forgetKept(3);
  expect([kept.bytes(), one?.keptBytes(), one?.first()]).toEqual([shared.rest.length, 0, 3]);
  other?.forgetKept(1);
  expect(kept.bytes()).toBe(shared.rest.length);
  other?.forget(3);
  expect(kept.bytes()).toBe(0);
});

test('an ended session keeps nothing', async () => {
  const { auth, here } = await stage();
  const token = `${auth.token(ANN, '501')}.bot`;
  for (let count = 0; count < 3; count++) {
    const bot = await here.identify(token);
    await until(() => bot.sent.length === 2);
    const session = here.registry.get(bot.sessionId());
    expect(session?.buffer.keptBytes()).toBeGreaterThan(50);
    if (session !== undefined) here.registry.end(session);
    expect(session?.buffer.keptBytes()).toBe(0);
  }
});
