import { expect, test } from 'vitest';
import { ANN, chatOf, OWNER } from '../support/cast.ts';
import { replica } from '../support/replica.ts';
import { scriptedAuth } from '../support/scripted-auth.ts';
import { scriptedChat } from '../support/scripted-chat.ts';

const IN_TIME = { timeoutMs: 5_000 };

/** Two replicas that know each other. */
async function stage() {
  const [chat, auth] = await Promise.all([scriptedChat(chatOf(OWNER, ANN)), scriptedAuth()]);
  const [here, other] = [await replica(chat, auth), await replica(chat, auth)];
  here.peers.push(here.peer, other.peer);
  other.peers.push(here.peer, other.peer);
  const online = () =>
    Promise.all(
      [here, other].map(async ({ peer }) => (await peer.getPresence({ account_id: ANN }, IN_TIME)).online),
    );
  return { auth, here, other, online };
}

test('an account is online at every replica while one has a connection of it', async () => {
  const { auth, other, online } = await stage();
  expect(await online()).toEqual([false, false]);
  const ann = await other.identify(auth.token(ANN, '501'));
  expect(await online()).toEqual([true, true]);
  // The session waits for a resume.
  other.sessionHandler.ended(ann, undefined);
  expect(await online()).toEqual([false, false]);
});

test('it is unknown while a replica does not answer, unless another has a connection', async () => {
  const { auth, here, other, online } = await stage();
  const away = { ...other.peer, getConnections: () => Promise.reject(new Error('away')) };
  here.peers[1] = away;
  expect(await online()).toEqual([null, false]);
  await here.identify(auth.token(ANN, '501'));
  expect(await online()).toEqual([true, true]);
});
