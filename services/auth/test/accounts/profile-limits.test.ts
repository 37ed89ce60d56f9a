import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import type { Fault } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import {
  ProfileField,
  RatelimitServiceDefinition,
  type TakeProfileChangesRequest,
  type TakeProfileChangesResponse,
} from '@gatehouse/proto/ratelimit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import { type AuthUnderTest, newcomer, registered, startAuth } from '../auth.ts';
import { current, to, update } from '../profile.ts';

/** The requests of ratelimit, and its response. */
const checks: TakeProfileChangesRequest[] = [];
let answer: () => Promise<TakeProfileChangesResponse>;
const admitted = async () => ({ denial: null, degraded: false });
const denied = (field: ProfileField, retry_after_us: number) => async () => ({
  denial: { field, retry_after_us },
  degraded: false,
});

describe('with ratelimit', () => {
  let service: AuthUnderTest;
  let ratelimit: { address: string; close(): Promise<void> };
  beforeAll(async () => {
    ratelimit = await serve({
      address: '127.0.0.1:0',
      implementations: [
        implement(
          RatelimitServiceDefinition,
          someHandlers(RatelimitServiceDefinition, {
            takeProfileChanges: (request) => {
              checks.push(request);
              return answer();
            },
          }),
        ),
      ],
      log: silentLogger,
    });
    service = await startAuth('auth_profile_limits', { config: { ratelimit_address: ratelimit.address } });
  });
  afterEach(() => {
    checks.length = 0;
    answer = admitted;
  });
  afterAll(async () => {
    await service.close();
    await ratelimit.close();
  });
  answer = admitted;

  test('each of the five fields is counted once per changing request, and nothing else is', async () => {
    const { caller, user_id } = await registered(service.auth);
    const picture = to(onePixel('red').toString('base64'));
    await update(service.auth, caller, {
      username: newcomer().username,
      global_name: to('Not limited'),
      bio: to('b'),
      pronouns: to('p'),
      accent_color: to(1),
      avatar: picture,
      banner: picture,
    });
    expect(checks).toEqual([
      {
        account_id: user_id,
        guild_id: null,
        fields: [
          ProfileField.PROFILE_FIELD_BIO,
          ProfileField.PROFILE_FIELD_PRONOUNS,
          ProfileField.PROFILE_FIELD_ACCENT_COLOR,
          ProfileField.PROFILE_FIELD_AVATAR,
          ProfileField.PROFILE_FIELD_BANNER,
        ],
      },
    ]);

    // Setting the same value is no change; only fields that differ are counted.
    checks.length = 0;
    const same = { bio: to('b'), pronouns: to('p'), accent_color: to(1), avatar: picture, banner: picture };
    await update(service.auth, caller, same);
    expect(checks).toEqual([]);
    await update(service.auth, caller, { ...same, pronouns: to('q') });
    expect(checks.map(({ fields }) => fields)).toEqual([[ProfileField.PROFILE_FIELD_PRONOUNS]]);
    await update(service.auth, caller, { bio: to(null), avatar: to(null) });
    expect(checks.at(-1)?.fields).toEqual([
      ProfileField.PROFILE_FIELD_BIO,
      ProfileField.PROFILE_FIELD_AVATAR,
    ]);
  });

  test.each([
    ['bio', ProfileField.PROFILE_FIELD_BIO, 'BIO_CHANGED_TOO_MANY_TIMES'],
    ['pronouns', ProfileField.PROFILE_FIELD_PRONOUNS, 'PRONOUNS_CHANGED_TOO_MANY_TIMES'],
    ['accent_color', ProfileField.PROFILE_FIELD_ACCENT_COLOR, 'ACCENT_COLOR_CHANGED_TOO_MANY_TIMES'],
    ['avatar', ProfileField.PROFILE_FIELD_AVATAR, 'AVATAR_CHANGED_TOO_MANY_TIMES'],
    ['banner', ProfileField.PROFILE_FIELD_BANNER, 'BANNER_CHANGED_TOO_MANY_TIMES'],
  ])(
    'a denial of %s is a violation with the wait in words, and nothing changes',
    async (path, field, code) => {
      const { caller, user } = await registered(service.auth);
      const picture = to(onePixel('blue').toString('base64'));
      answer = denied(field, 71_000_001);
      const attempt = update(service.auth, caller, {
        username: newcomer().username,
        bio: to('b'),
        pronouns: to('p'),
        accent_color: to(1),
        avatar: picture,
        banner: picture,
      });
      const fault: Fault = await faultOf(attempt);
      expect(fault).toMatchObject({ reason: 'INVALID_FORM_BODY', members: {} });
      expect(fault.violations).toEqual([
        { path, code, message: 'Changed too many times. Try again in 72 seconds.' },
      ]);
      expect(await current(service.auth, caller)).toEqual(user);
    },
  );

  test('a request that is refused for another reason is not counted', async () => {
    const { caller } = await registered(service.auth);
    const { user } = await registered(service.auth);
    const refused = [
      { bio: to('b'), pronouns: to('p'.repeat(41)) },
      { bio: to('b'), username: user?.username ?? '' },
      { bio: to('b'), avatar: to('nonsense') },
      { bio: to('b'), new_password: 'a quite different password', password: 'wrong password' },
      { bio: to('b'), email: 'without.proof@example.com' },
    ];
    for (const changes of refused) await faultOf(update(service.auth, caller, changes));
    expect(checks).toEqual([]);
  });

  test('the service does not wait for a slow check', async () => {
    const { caller } = await registered(service.auth);
    let late: (response: TakeProfileChangesResponse) => void = () => undefined;
    answer = () => new Promise((resolve) => (late = resolve));
    expect(await update(service.auth, caller, { bio: to('b') })).toMatchObject({ bio: 'b' });
    late(await denied(ProfileField.PROFILE_FIELD_BIO, 1)());
  });
});

describe('while ratelimit is unavailable, with the limits of this replica', () => {
  let service: AuthUnderTest;
  beforeAll(async () => {
    service = await startAuth('auth_profile_local');
  });
  afterAll(() => service.close());

  test('25 changes of a field pass, the next one must wait, and other fields and accounts have limits of their own', async () => {
    const { caller } = await registered(service.auth);
    const startedAt = performance.now();
    for (let count = 1; count <= 25; count++) await update(service.auth, caller, { bio: to(`bio ${count}`) });
    // 72 s until one of 25 in 30 minutes has drained, less the time of this test.
    const fault = await faultOf(update(service.auth, caller, { bio: to('bio 26') }));
    expect(fault.violations).toMatchObject([{ path: 'bio', code: 'BIO_CHANGED_TOO_MANY_TIMES' }]);
    const wait = Number(/ in (\d+) seconds\.$/.exec(fault.violations[0]?.message ?? '')?.[1]);
    expect(wait).toBeLessThanOrEqual(72);
    expect(wait).toBeGreaterThanOrEqual(72 - Math.ceil((performance.now() - startedAt) / 1000));

    // The same value is no change, and a denied change charges no other field of its request.
    expect(await update(service.auth, caller, { bio: to('bio 25') })).toMatchObject({ bio: 'bio 25' });
    for (let count = 1; count <= 25; count++) {
      const both = { bio: to('more'), pronouns: to(`p ${count}`) };
      expect(await violationsOf(update(service.auth, caller, both))).toEqual([
        'bio BIO_CHANGED_TOO_MANY_TIMES',
      ]);
    }
    for (let count = 1; count <= 25; count++)
      await update(service.auth, caller, { pronouns: to(`p ${count}`) });
    expect(await violationsOf(update(service.auth, caller, { pronouns: to('p 26') }))).toEqual([
      'pronouns PRONOUNS_CHANGED_TOO_MANY_TIMES',
    ]);
    expect(await current(service.auth, caller)).toMatchObject({ bio: 'bio 25', pronouns: 'p 25' });

    const other = await registered(service.auth);
    expect(await update(service.auth, other.caller, { bio: to('mine') })).toMatchObject({ bio: 'mine' });
  });

  test('25 of 64 concurrent changes pass', async () => {
    const { caller } = await registered(service.auth);
    const settled = await Promise.allSettled(
      Array.from({ length: 64 }, (_, index) => update(service.auth, caller, { bio: to(`at once ${index}`) })),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
  });
});
