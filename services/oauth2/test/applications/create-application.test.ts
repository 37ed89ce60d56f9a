import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { CreateApplicationRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { rowCounts } from '../rows.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_create');
});
afterAll(() => service.close());

async function create(changes: Partial<CreateApplicationRequest>, caller?: Caller) {
  const owner = caller ?? (await newPerson(service.auth));
  return (await service.oauth2.createApplication(settings(changes), { ...IN_TIME, caller: owner }))
    .application;
}

describe('an application', () => {
  test('has a secret, a bot and the defaults', async () => {
    const made = await create({ name: '  My Application  ' });
    const id = made?.id ?? '';
    expect(isSnowflake(id)).toBe(true);
    expect(made).toEqual({
      id,
      name: 'My Application',
      terms_url: null,
      privacy_url: null,
      created_at: expect.any(String),
      icon: null,
      description: null,
      redirect_uris: [],
      bot_public: true,
      bot_require_code_grant: false,
      flags: 0,
      bot: {
        id,
        username: `My_Applicati_${id}`,
        discriminator: '0',
        global_name: 'My Application',
        avatar: null,
        bot: true,
        token: expect.stringMatching(new RegExp(`^${id}\\.[A-Za-z0-9_-]{43}$`)),
      },
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      public: false,
    });
  });

  test("'s bot token works from then on", async () => {
    const made = await create({});
    const token = made?.bot?.token ?? '';
    const { identity } = await service.auth.identify({ kind: CallerKind.CALLER_KIND_BOT, token }, IN_TIME);
    expect(identity?.account_id).toBe(made?.id);
  });

  test('keeps its settings, redirect URIs exactly', async () => {
    const redirect_uris = [
      'https://Example.com/Callback?a=1&b=%7e',
      'HTTP://LOCALHOST:3000',
      'https://example.com:443/',
      'https://example.com:443/',
    ];
    const made = await create({ redirect_uris, bot_public: false, bot_require_code_grant: true });
    expect(made).toMatchObject({ redirect_uris, bot_public: false, bot_require_code_grant: true });
  });
});

describe('bounds', () => {
  const tenUris = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`);

  test.each<[string, Partial<CreateApplicationRequest>]>([
    ['name of 1', { name: 'x' }],
    ['name of 100 code points', { name: '🎉'.repeat(100) }],
    ['ten redirect URIs', { redirect_uris: tenUris }],
  ])('%s is accepted', async (_what, changes) => {
    expect(await create(changes)).toMatchObject(changes);
  });

  test.each<[string, Partial<CreateApplicationRequest>, string[]]>([
    ['no name', { name: '' }, ['name STRING_LENGTH_INVALID']],
    ['blank name', { name: ' \t ' }, ['name STRING_LENGTH_INVALID']],
    ['name of 101', { name: 'x'.repeat(101) }, ['name STRING_LENGTH_INVALID']],
    ['invisible name', { name: '\u200b' }, ['name INVALID_FORMAT']],
    ['name backwards', { name: 'a\u202eb' }, ['name INVALID_FORMAT']],
    ['name with a NUL', { name: 'a\0b' }, ['name INVALID_FORMAT']],
    [
      'eleven redirect URIs',
      { redirect_uris: [...tenUris, 'https://example.com/10'] },
      ['redirect_uris INVALID_FORMAT'],
    ],
    [
      'all possible violations, each at its path',
      {
        name: '',
        redirect_uris: [
          'https://example.com',
          'http://example.com',
          `https://example.com/${'p'.repeat(2048)}`,
        ],
      },
      [
        'name STRING_LENGTH_INVALID',
        'redirect_uris.1 INVALID_URL_FORMAT',
        'redirect_uris.2 URL_LENGTH_INVALID',
      ],
    ],
  ])('%s: refused, and nothing is created', async (_what, changes, violations) => {
    const before = await rowCounts(service.db);
    expect(await violationsOf(create(changes))).toEqual(violations);
    expect(await rowCounts(service.db)).toEqual(before);
  });
});

describe('25 an account', () => {
  test('are created by 60 concurrent requests at two replicas, and the rest are refused', async () => {
    const replicas = [service.oauth2, await service.replica()];
    const caller = await newPerson(service.auth);
    const attempts = Array.from({ length: 60 }, (_, index) =>
      (replicas[index % 2] ?? service.oauth2).createApplication(settings({ name: `No ${index}` }), {
        ...IN_TIME,
        caller,
      }),
    );
    const settled = await Promise.allSettled(attempts);
    const refused = attempts.filter((_, index) => settled[index]?.status === 'rejected');
    expect(refused).toHaveLength(35);
    for (const attempt of refused) expect(await faultOf(attempt)).toMatchObject({ reason: 'BAD_REQUEST' });

    const { applications } = await service.oauth2.listApplications({}, { ...IN_TIME, caller });
    expect(applications).toHaveLength(25);
    expect(applications.every((application) => application.bot?.bot === true)).toBe(true);
    expect((await rowCounts(service.db)).reservations).toBe(0);
    expect(await faultOf(create({}, caller))).toMatchObject({ reason: 'BAD_REQUEST' });
  });

  test('are counted per account', async () => {
    await expect(create({})).resolves.toMatchObject({ name: 'Application' });
  });

  test('include reservations elsewhere, but not expired ones', async () => {
    const caller = await newPerson(service.auth);
    const reserve = (lifetime: string) =>
      service.db.query(
        `INSERT INTO application_reservations (id, owner_id, expires_at)
         SELECT 500 + n, $1::bigint, now() + $2::interval FROM generate_series(1, 25) AS n`,
        [caller.account_id, lifetime],
      );
    await reserve('1 minute');
    expect(await faultOf(create({}, caller))).toMatchObject({ reason: 'BAD_REQUEST' });

    await service.db.query('DELETE FROM application_reservations');
    await reserve('-1 second');
    await expect(create({}, caller)).resolves.toMatchObject({ name: 'Application' });
    expect((await rowCounts(service.db)).reservations).toBe(0);
  });
});

test('a caller is required', async () => {
  expect(await faultOf(create({}, anonymous))).toMatchObject({ reason: 'UNAUTHORIZED' });
});

test('an account that is unknown to auth gets none and leaves nothing', async () => {
  const before = await rowCounts(service.db);
  const gone = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '404', credential_id: '1' };
  expect(await faultOf(create({}, gone))).toMatchObject({ reason: 'UNAUTHORIZED' });
  expect(await rowCounts(service.db)).toEqual(before);
});
