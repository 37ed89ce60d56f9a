import { expect, onTestFinished, test, vi } from 'vitest';
import { dispatchOf } from '../../src/connections/dispatch.ts';
import type { EventReceiver } from '../../src/following/event-receiver.ts';
import { PreparedAccounts } from '../../src/session-transfer/prepared-accounts.ts';
import { replayEntryOf, transferredSession } from '../../src/session-transfer/transferred-session.ts';
import { KeptDispatches } from '../../src/sessions/kept-dispatches.ts';
import { Session } from '../../src/sessions/session.ts';
import { World } from '../../src/world/world.ts';
import { ANN, chatOf, GENERAL, message, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';

const given = {
  id: 'one',
  account_id: ANN,
  credential_id: '501',
  bot: false,
  seq: 7,
  sent: 7,
  positions: [],
  user_digest: 'U',
  left_ms: 60_000,
};

async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  return { chat, here: await replica(chat, auth), auth };
}

test('a session receives the events after its cursor', async () => {
  const { chat, here } = await stage();
  const arrival = await here.prepareAccount(ANN);
  const ids = [chat.write(message(GENERAL))[0]];
  const behind = chat.log.cursor();
  ids.push(...chat.write(message(GENERAL)));
  await until(() => here.chatLog.applied() === 2);
  const { buffer } = await arrival.accept(given, behind);
  arrival.end();
  expect([buffer.first(), buffer.last(), buffer.get(8)]).toEqual([8, 8, Number(ids[1])]);
});

test('a session that would miss events is not accepted', async () => {
  const { chat, here } = await stage();
  const before = chat.log.cursor();
  await here.prepareAccount(ANN).then((arrival) => arrival.end());
  chat.write(message(GENERAL));
  const arrival = await here.prepareAccount(ANN);
  await until(() => here.world.account(ANN) !== undefined);
  expect(arrival.cursor).not.toBe(before);
  await expect(arrival.accept(given, before)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  arrival.end();
  expect([here.registry.count(), here.world.size().accounts]).toEqual([0, 0]);
});

test('no session is accepted after events were lost', async () => {
  const { chat, here, auth } = await stage();
  const other = await here.identify(auth.token(OWNER, '500'));
  const arrival = await here.prepareAccount(ANN);
  chat.log.forget();
  await until(() => other.closedWith() !== undefined);
  await expect(arrival.accept(given, chat.log.cursor())).rejects.toMatchObject({
    reason: 'SERVICE_UNAVAILABLE',
  });
  arrival.end();
  expect([here.registry.count(), here.world.size().accounts]).toEqual([0, 0]);
});

test('a prepared account is removed when no session arrives', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const prepared = new PreparedAccounts();
  let ended = 0;
  const arrival = { cursor: '', accept: () => never(), end: () => void ended++ };
  for (const account_id of ['1', '1', '2']) prepared.add(account_id, arrival);
  expect(prepared.take('1')).toBe(arrival);
  vi.advanceTimersByTime(10_000);
  expect([ended, prepared.take('1'), prepared.take('2')]).toEqual([2, undefined, undefined]);
  prepared.add('3', arrival);
  prepared.close();
  expect([ended, vi.getTimerCount()]).toEqual([3, 0]);
});

function never(): never {
  throw new Error('nothing is accepted');
}

function sessionOf(max = 20_000) {
  const account = new World<EventReceiver>().addAccount({
    account_id: ANN,
    guild_ids: [],
    members: [],
    private_channels: [],
  });
  return new Session(
    { id: 'one', account, credential_id: '501', is_bot: true, seq: 0, highest_sent: 0, user_digest: 'U' },
    { max_positions: max, kept: new KeptDispatches() },
  );
}

test('a session is transferred with the events that its client has not acknowledged', () => {
  const session = sessionOf();
  const sent = dispatchOf('GUILD_UPDATE', '{"name":"é"}');
  for (const position of [1, 2, sent, 4]) session.buffer.push(position);
  session.acknowledged = 2;
  session.disconnectedAt_ms = performance.now() - 20_000;
  const { left_ms, positions, ...rest } = transferredSession(session, 1_000);
  expect(rest).toEqual({
    id: 'one',
    account_id: ANN,
    credential_id: '501',
    bot: true,
    seq: 4,
    sent: 0,
    user_digest: 'U',
  });
  expect(positions).toEqual([{ t: 'GUILD_UPDATE', d: '{"name":"é"}' }, { event_id: '4' }]);
  expect(positions.map(replayEntryOf)).toEqual([sent, 4]);
  expect(Math.round(left_ms / 1_000)).toBe(40);
});

test('a session with many events fits into a message with others', () => {
  const session = sessionOf();
  const large = dispatchOf('GUILD_CREATE', JSON.stringify('x'.repeat(60_000)));
  for (let count = 0; count < 12_000; count++) session.buffer.push(count < 11_000 ? large : count);
  const { positions } = transferredSession(session, 500_000);
  expect(positions.length).toBeGreaterThan(1_000);
  expect(JSON.stringify(positions).length).toBeLessThan(600_000);
});
