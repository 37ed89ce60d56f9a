import { faultOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertApplication } from '../../src/store/applications.ts';
import { reserveApplication } from '../../src/store/reservations.ts';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_unmade_bots');
  await service.replica();
});
afterAll(() => service.close());

async function noted(): Promise<string[]> {
  const { rows } = await service.db.query<{ id: string }>('SELECT application_id AS id FROM unmade_bots');
  return rows.map(({ id }) => id);
}
/** Makes the rows two minutes older. */
const later = () => service.db.query("UPDATE unmade_bots SET next_attempt_at = now() - interval '1 second'");
const botsOf = async (ids: string[]) => (await service.auth.getUsers({ ids }, IN_TIME)).users;

test('a created application leaves no row and keeps its bot', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  expect(await noted()).toEqual([]);
  expect(await botsOf([application?.id ?? ''])).toHaveLength(1);
});

test('the bot of an application that was not created is deleted once auth is available', async () => {
  const caller = await newPerson(service.auth);
  // As if auth had created it and its answer was lost.
  await service.db.query(
    `INSERT INTO unmade_bots (application_id, owner_id, next_attempt_at) VALUES (4711, $1, now() + interval '1 minute')`,
    [caller.account_id],
  );
  const request = { application_id: '4711', name: 'Lost', owner_id: caller.account_id };
  await service.auth.createBot(request, IN_TIME);
  await service.killAuth();
  await later();
  const attempted = async () => {
    const { rows } = await service.db.query('SELECT next_attempt_at > now() AS attempted FROM unmade_bots');
    return rows;
  };
  await expect.poll(attempted).toEqual([{ attempted: true }]);
  await service.reviveAuth();
  await expect.poll(noted).toEqual([]);
  await expect.poll(() => botsOf(['4711'])).toEqual([]);
});

test('a failed or refused attempt leaves a row and no reservation', async () => {
  const caller = { ...(await newPerson(service.auth)), account_id: '404' };
  const attempt = service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  expect(await faultOf(attempt)).toMatchObject({ reason: 'UNAUTHORIZED' });
  expect(await noted()).toHaveLength(1);
  await later();
  await expect.poll(noted).toEqual([]);
});

test('an expired reservation becomes no application, and its bot is deleted', async () => {
  const { account_id: owner_id } = await newPerson(service.auth);
  const application = {
    id: '4712',
    owner_id,
    name: 'Late',
    redirect_uris: [],
    bot_public: true,
    bot_require_code_grant: false,
    public: false,
    icon: null,
    description: null,
    terms_url: null,
    privacy_url: null,
  };
  await reserveApplication(service.db, { id: '4712', owner_id, max: 25 });
  await service.db.query("UPDATE application_reservations SET expires_at = now() - interval '1 second'");
  expect(await insertApplication(service.db, application, undefined)).toBeUndefined();
  expect(await noted()).toEqual(['4712']);
  await later();
  await expect.poll(noted).toEqual([]);
});
