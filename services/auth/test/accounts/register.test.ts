import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { RegisterRequest } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, startAuth, whoIs } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_register');
});
afterAll(() => service.close());

const register = (changes: Partial<RegisterRequest>) => service.auth.register(newcomer(changes), IN_TIME);

describe('an account', () => {
  test('is created with a live session', async () => {
    const { token, user_id, user } = await register({
      email: '  Ada@Example.COM ',
      username: 'Ada.Lovelace_1',
      global_name: '  Ada L.  ',
    });
    expect(token).toMatch(/^gth_[A-Za-z0-9]{36}$/);
    expect(isSnowflake(user_id)).toBe(true);
    expect(await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
    expect(user).toEqual({
      id: user_id,
      username: 'Ada.Lovelace_1',
      discriminator: '0',
      global_name: 'Ada L.',
      avatar: null,
      bot: false,
      email: 'Ada@Example.COM',
      verified: false,
      bio: null,
      pronouns: null,
      accent_color: null,
      banner: null,
      mfa_enabled: false,
      authenticator_types: [],
      password_last_changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      premium_type: 0,
      flags: 0,
      locale: null,
    });
  });

  test.each([
    ['de-CH, de;q=0.9, en;q=0.8', 'de'],
    ['fr-FR, ar-EG;q=0.3, en;q=0.5', 'en'],
    ['AR', 'ar'],
    ['fr, *;q=0.5', null],
    ['de;q=0, en;q=nonsense', null],
    ['', null],
    [undefined, null],
  ])('has the best language for Accept-Language %j: %j', async (accept_language, locale) => {
    const caller = { ...anonymous, ...(accept_language !== undefined && { accept_language }) };
    const { user } = await service.auth.register(newcomer(), { ...IN_TIME, caller });
    expect(user?.locale).toBe(locale);
  });

  test('has no display name by default', async () => {
    const { user } = await register({});
    expect(user?.global_name).toBeNull();
  });
});

describe('bounds', () => {
  const local64 = 'l'.repeat(64);
  const domain255 = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`;

  test.each<[string, Partial<RegisterRequest>]>([
    ['user name of 1', { username: 'Q' }],
    ['user name of 32', { username: 'Z9_.'.repeat(8) }],
    ['password of 8', { password: '12345678' }],
    ['password of 256', { password: 'p'.repeat(256) }],
    ['password of 8 code points outside the BMP', { password: '🔑'.repeat(8) }],
    ['password of 256 code points outside the BMP', { password: '🔑'.repeat(256) }],
    ['password of blanks', { password: '        ' }],
    ['display name of 1', { global_name: 'x' }],
    ['display name of 32 code points', { global_name: '👩'.repeat(32) }],
    ['display name of 32 after trimming', { global_name: ` ${'n'.repeat(32)} ` }],
    ['address of 320', { email: `${local64}@${domain255}` }],
    ['address without a dot in its domain', { email: 'a+tag@localhost' }],
  ])('%s is accepted', async (_what, changes) => {
    await expect(register(changes)).resolves.toMatchObject({ user: { bot: false } });
  });

  test.each<[string, Partial<RegisterRequest>, string[]]>([
    ['no user name', { username: '' }, ['username USERNAME_LENGTH_INVALID']],
    ['user name of 33', { username: 'a'.repeat(33) }, ['username USERNAME_LENGTH_INVALID']],
    ['user name with a blank', { username: 'a b' }, ['username USERNAME_INVALID_CHARACTERS']],
    ['user name with blanks around', { username: ' ab ' }, ['username USERNAME_INVALID_CHARACTERS']],
    ['user name with a line feed', { username: 'ab\n' }, ['username USERNAME_INVALID_CHARACTERS']],
    ['user name with a foreign letter', { username: 'аda' }, ['username USERNAME_INVALID_CHARACTERS']],
    [
      'user name too long and with a hyphen',
      { username: '-'.repeat(33) },
      ['username USERNAME_LENGTH_INVALID', 'username USERNAME_INVALID_CHARACTERS'],
    ],
    ['password of 7', { password: '1234567' }, ['password PASSWORD_LENGTH_INVALID']],
    [
      'password of 7 code points in 14 units',
      { password: '🔑'.repeat(7) },
      ['password PASSWORD_LENGTH_INVALID'],
    ],
    ['password of 257', { password: 'p'.repeat(257) }, ['password PASSWORD_LENGTH_INVALID']],
    ['empty display name', { global_name: '' }, ['global_name STRING_LENGTH_INVALID']],
    ['blank display name', { global_name: '   ' }, ['global_name STRING_LENGTH_INVALID']],
    ['display name of 33', { global_name: '👩'.repeat(33) }, ['global_name STRING_LENGTH_INVALID']],
    ['invisible display name', { global_name: '\u3164' }, ['global_name INVALID_FORMAT']],
    ['display name backwards', { global_name: 'a\u202eb' }, ['global_name INVALID_FORMAT']],
    ['address of 321', { email: `${local64}l@${domain255}` }, ['email INVALID_EMAIL_FORMAT']],
    ['local part of 65', { email: `${local64}l@example.com` }, ['email INVALID_EMAIL_FORMAT']],
  ])('%s is refused', async (_what, changes, violations) => {
    expect(await violationsOf(register(changes))).toEqual(violations);
  });

  test.each([
    '',
    'plain',
    '@example.com',
    'a@',
    'a@b@c',
    'a b@example.com',
    'a@exa mple.com',
    'a@-b.com',
    'a@b..c',
    'a@b.com.',
    'a@b\n.com',
    '"a"@b.com',
    'a@b.com>',
    'ä@example.com',
  ])('the address %j is refused', async (email) => {
    expect(await violationsOf(register({ email }))).toEqual(['email INVALID_EMAIL_FORMAT']);
  });

  test('all violations are reported at once, including taken names', async () => {
    const owner = newcomer();
    await service.auth.register(owner, IN_TIME);
    const attempt = { ...owner, password: 'short', global_name: 'n'.repeat(33) };
    expect(await violationsOf(service.auth.register(attempt, IN_TIME))).toEqual([
      'password PASSWORD_LENGTH_INVALID',
      'global_name STRING_LENGTH_INVALID',
      'email EMAIL_ALREADY_IN_USE',
      'username TAG_ALREADY_TAKEN',
    ]);
  });
});

describe('names are unique regardless of letter case', () => {
  test('an address', async () => {
    await register({ email: 'Case@Example.com' });
    expect(await violationsOf(register({ email: 'cASE@eXAMPLE.COM' }))).toEqual([
      'email EMAIL_ALREADY_IN_USE',
    ]);
  });

  test('a user name', async () => {
    await register({ username: 'CaseSensitive' });
    expect(await violationsOf(register({ username: 'caseSENSITIVE' }))).toEqual([
      'username TAG_ALREADY_TAKEN',
    ]);
  });

  test.each<[string, Partial<RegisterRequest>, string[]]>([
    ['one address', { email: 'race@example.com' }, ['email EMAIL_ALREADY_IN_USE']],
    ['one user name', { username: 'race_name' }, ['username TAG_ALREADY_TAKEN']],
    [
      'one address and one user name',
      { email: 'race2@example.com', username: 'race_two' },
      ['email EMAIL_ALREADY_IN_USE', 'username TAG_ALREADY_TAKEN'],
    ],
  ])('of 64 concurrent registrations of %s at two replicas one succeeds', async (_what, names, expected) => {
    const replicas = [service.auth, await service.replica()];
    const attempts = Array.from({ length: 64 }, (_, index) => {
      const auth = replicas[index % 2] ?? service.auth;
      return auth.register(newcomer(names), IN_TIME);
    });
    const settled = await Promise.allSettled(attempts);
    const losers = attempts.filter((_, index) => settled[index]?.status === 'rejected');
    expect(losers).toHaveLength(63);
    for (const loser of losers) expect(await violationsOf(loser)).toEqual(expected);

    const { rows } = await service.db.query(
      'SELECT count(*)::int AS accounts, count(sessions.id)::int AS sessions FROM accounts LEFT JOIN sessions ON account_id = accounts.id WHERE email_key = $1 OR username_key = $2',
      [names.email, names.username],
    );
    expect(rows).toEqual([{ accounts: 1, sessions: 1 }]);
  });
});

test('a failed registration leaves nothing behind', async () => {
  const before = await service.db.query('SELECT count(*) FROM accounts');
  const fault = await faultOf(register({ password: 'short' }));
  expect(fault.reason).toBe('INVALID_FORM_BODY');
  expect((await service.db.query('SELECT count(*) FROM accounts')).rows).toEqual(before.rows);
});
