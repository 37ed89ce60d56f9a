import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Application, UpdateApplicationRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { changes, IN_TIME, newPerson, settings } from '../requests.ts';

const URI = 'https://client.test/callback';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_update');
});
afterAll(() => service.close());

interface Owned {
  readonly caller: Caller;
  readonly application: Application;
}

async function create(): Promise<Owned> {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(
    settings({ name: 'Before', redirect_uris: [URI], bot_public: false, bot_require_code_grant: true }),
    { ...IN_TIME, caller },
  );
  if (application === null) throw new Error('no application was created');
  return { caller, application };
}

const get = async ({ caller, application: { id } }: Owned) =>
  (await service.oauth2.getApplication({ application_id: id }, { ...IN_TIME, caller })).application;

const update = async (
  { caller, application: { id } }: Owned,
  named: Omit<Partial<UpdateApplicationRequest>, 'application_id'>,
) =>
  (await service.oauth2.updateApplication({ application_id: id, ...changes(named) }, { ...IN_TIME, caller }))
    .application;

describe('an owner', () => {
  test.each<[string, Omit<Partial<UpdateApplicationRequest>, 'application_id'>, Partial<Application>]>([
    ['nothing', {}, {}],
    ['the name, trimmed', { name: '  After ' }, { name: 'After' }],
    [
      'all redirect URIs, exactly',
      { redirect_uris: { items: ['HTTP://localhost', URI, URI] } },
      { redirect_uris: ['HTTP://localhost', URI, URI] },
    ],
    ['redirect URIs for none', { redirect_uris: { items: [] } }, { redirect_uris: [] }],
    ['who may install the bot', { bot_public: true }, { bot_public: true }],
    ['how the bot is installed', { bot_require_code_grant: false }, { bot_require_code_grant: false }],
  ])('changes %s and leaves the rest', async (_what, named, changed) => {
    const owned = await create();
    const before = await get(owned);
    const answer = await update(owned, named);
    expect(answer).toEqual({ ...before, ...changed });
    expect(await get(owned)).toEqual(answer);
  });

  test('gets all violations at once, and nothing changes', async () => {
    const owned = await create();
    const before = await get(owned);
    const items = [URI, 'http://client.test/', `https://client.test/${'a'.repeat(2048)}`];
    const attempt = update(owned, { name: ' ', redirect_uris: { items }, bot_public: true });
    expect(await violationsOf(attempt)).toEqual([
      'name STRING_LENGTH_INVALID',
      'redirect_uris.1 INVALID_URL_FORMAT',
      'redirect_uris.2 URL_LENGTH_INVALID',
    ]);
    expect(await get(owned)).toEqual(before);
  });

  test('may have 10 redirect URIs and names of 1-100 characters without NUL', async () => {
    const owned = await create();
    const uris = (count: number) => ({ redirect_uris: { items: Array<string>(count).fill(URI) } });
    expect((await update(owned, { name: '🔐'.repeat(100), ...uris(10) }))?.redirect_uris).toHaveLength(10);
    expect(await violationsOf(update(owned, uris(11)))).toEqual(['redirect_uris INVALID_FORMAT']);
    for (const [name, code] of [
      ['🔐'.repeat(101), 'STRING_LENGTH_INVALID'],
      ['a\0b', 'INVALID_FORMAT'],
      ['\uffa0', 'INVALID_FORMAT'],
      ['a\u2069b', 'INVALID_FORMAT'],
    ] as const) {
      expect(await violationsOf(update(owned, { name }))).toEqual([`name ${code}`]);
    }
  });
});

describe('an application stays as it is', () => {
  test('for other accounts, before the form is checked', async () => {
    const owned = await create();
    const before = await get(owned);
    const stranger = { ...owned, caller: await newPerson(service.auth) };
    expect(await faultOf(update(stranger, { name: '' }))).toMatchObject({ reason: 'FORBIDDEN' });
    const nobody = { ...owned, caller: anonymous };
    expect(await faultOf(update(nobody, { name: 'Mine' }))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await get(owned)).toEqual(before);
  });

  test.each(['0', '404', '9223372036854775807', '', 'abc', '-1', '9223372036854775808'])(
    'unknown with the ID %j',
    async (application_id) => {
      const caller = await newPerson(service.auth);
      const attempt = service.oauth2.updateApplication(
        { application_id, ...changes({}) },
        { ...IN_TIME, caller },
      );
      expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
    },
  );
});
