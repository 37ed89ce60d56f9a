import { freePort } from '@gatehouse/dev-env/free-port';
import type { Running } from '@gatehouse/kit/lifecycle';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { serveBotRemovals } from '../serve-bot-removals.ts';

const removed: string[] = [];
let chat: Running;
let service: Oauth2UnderTest;
beforeAll(async () => {
  chat = await serveBotRemovals(removed, `127.0.0.1:${await freePort()}`);
  service = await startOauth2('oauth2_deleted_bots', { chat: chat.address });
  await service.replica();
});
afterAll(async () => {
  await service.close();
  await chat.close();
});

async function newApplication() {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  return { caller, id: application?.id ?? '' };
}

async function remove({ caller, id }: Awaited<ReturnType<typeof newApplication>>): Promise<void> {
  await service.oauth2.deleteApplication({ application_id: id }, { ...IN_TIME, caller });
}

const botsOf = async (ids: string[]) => (await service.auth.getUsers({ ids }, IN_TIME)).users;

async function queued(): Promise<string[]> {
  const { rows } = await service.db.query<{ id: string }>('SELECT application_id AS id FROM ended_bots');
  return rows.map(({ id }) => id);
}

/** Makes the rows two minutes older. */
const later = () =>
  service.db.query(
    `UPDATE ended_bots SET ended_at = ended_at - interval '2 minutes', next_attempt_at = now()`,
  );

test('a bot is deleted from auth and chat with its application, and removed from chat once more later', async () => {
  const made = await newApplication();
  await remove(made);
  expect(await botsOf([made.id])).toEqual([]);
  expect(removed).toEqual([made.id]);
  // A concurrent installation may have finished after the first time.
  expect(await queued()).toEqual([made.id]);
  await later();
  await expect.poll(queued).toEqual([]);
  expect(removed).toEqual([made.id, made.id]);
});

test('the bots of a deleted account leave their guilds, too', async () => {
  const { caller, id } = await newApplication();
  await service.oauth2.endAccount({ account_id: caller.account_id }, IN_TIME);
  await expect.poll(() => removed).toContain(id);
  await later();
  await expect.poll(queued).toEqual([]);
});

test('while auth or chat is unavailable, applications can be deleted, and their bots are deleted later', async () => {
  const made = await newApplication();
  await service.killAuth();
  await chat.close();
  await remove(made);
  expect(await queued()).toEqual([made.id]);
  await service.reviveAuth();
  await expect.poll(() => botsOf([made.id])).toEqual([]);
  expect(await queued()).toEqual([made.id]);
  chat = await serveBotRemovals(removed, chat.address);
  await expect.poll(() => removed).toContain(made.id);
});
