import { expect, test } from 'vitest';
import { ANN, chatOf, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { until } from '../support/until.ts';

async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  const here = await replica(chat, auth);
  return { auth, here };
}

test('all sessions of the account receive its change, and no others', async () => {
  const { auth, here } = await stage();
  const [one, other] = [
    await here.identify(auth.token(ANN, '501')),
    await here.identify(auth.token(ANN, '502')),
  ];
  const owner = await here.identify(auth.token(OWNER, '500'));
  auth.rename(ANN, 'new');
  await until(() => one.sent.length === 2 && other.sent.length === 2);
  expect(one.sent[1]).toMatchObject({ s: 2, t: 'USER_UPDATE', d: { id: ANN, username: 'new' } });
  expect(owner.received()).toEqual(['1 READY']);
});

test('the remaining sessions receive a change that ends the first one’s credential', async () => {
  const { auth, here } = await stage();
  const ended = await here.identify(auth.token(ANN, '501'));
  const stays = await here.identify(auth.token(ANN, '502'));
  auth.endUnsaid('501');
  auth.rename(ANN, 'new');
  await until(() => stays.sent.length === 2);
  expect(stays.received()).toEqual(['1 READY', '2 USER_UPDATE']);
  expect(ended.closedWith()).toBeUndefined();
});

test('a change is sent once auth answers again, and simultaneous changes once', async () => {
  const { auth, here } = await stage();
  const ann = await here.identify(auth.token(ANN, '501'));
  auth.isAway = true;
  for (const name of ['b', 'c', 'd']) auth.rename(ANN, name);
  await until(() => auth.log.events.length === 3);
  auth.isAway = false;
  await until(() => ann.sent.length > 1);
  expect(ann.sent.at(-1)?.d?.username).toBe('d');
  expect(ann.sent.length).toBeLessThan(4);
});
