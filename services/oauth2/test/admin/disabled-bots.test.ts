import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { BY_ALICE } from './operator.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_disabled_bots');
});
afterAll(() => service.close());

async function newBot() {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  return { application_id: application?.id ?? '', token: application?.bot?.token ?? '' };
}

/** Whether auth accepts the token of a bot. */
const isAccepted = async (token: string) =>
  (await service.auth.identify({ kind: CallerKind.CALLER_KIND_BOT, token }, IN_TIME)).identity !== null;

async function queued(application_id: string): Promise<{ disabled: boolean; version: string }[]> {
  const { rows } = await service.db.query<{ disabled: boolean; version: string }>(
    'SELECT disabled, version FROM bot_disablements WHERE application_id = $1',
    [application_id],
  );
  return rows;
}

const disable = (application_id: string) =>
  service.admin.disableApplication({ application_id, ...BY_ALICE }, IN_TIME);
const enable = (application_id: string) =>
  service.admin.enableApplication({ application_id, ...BY_ALICE }, IN_TIME);

test('auth refuses the token of the bot before the answer, until the application is enabled', async () => {
  const { application_id, token } = await newBot();
  expect((await disable(application_id)).pending).toEqual([]);
  expect(await isAccepted(token)).toBe(false);
  expect((await enable(application_id)).pending).toEqual([]);
  expect(await isAccepted(token)).toBe(true);
});

test('while auth is away it is named as pending, and receives the last change later', async () => {
  const [stays, comesBack] = [await newBot(), await newBot()];
  await service.killAuth();
  expect((await disable(stays.application_id)).pending).toEqual(['auth']);
  expect((await disable(comesBack.application_id)).pending).toEqual(['auth']);
  const [before] = await queued(comesBack.application_id);
  expect((await enable(comesBack.application_id)).pending).toEqual(['auth']);
  const [after] = await queued(comesBack.application_id);
  expect([before?.disabled, after?.disabled]).toEqual([true, false]);
  expect(Number(after?.version)).toBeGreaterThan(Number(before?.version));
  await service.reviveAuth();
  await expect.poll(() => queued(stays.application_id)).toEqual([]);
  await expect.poll(() => queued(comesBack.application_id)).toEqual([]);
  expect(await isAccepted(stays.token)).toBe(false);
  expect(await isAccepted(comesBack.token)).toBe(true);
  // Auth has confirmed it meanwhile.
  expect((await disable(stays.application_id)).pending).toEqual([]);
});

test('a change that is not delivered ends with its application', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  const application_id = application?.id ?? '';
  await service.killAuth();
  await disable(application_id);
  await service.oauth2.deleteApplication({ application_id }, { ...IN_TIME, caller });
  expect(await queued(application_id)).toEqual([]);
  await service.reviveAuth();
});
