import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { UpdateCurrentUserRequest } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';
import { together } from '../factors.ts';
import { current, to, update } from '../profile.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_update_profile');
});
afterAll(() => service.close());

describe('a public user', () => {
  test('is returned by ID', async () => {
    const { user_id, user } = await registered(service.auth, { global_name: 'Ada' });
    expect(await service.auth.getUser({ user_id }, IN_TIME)).toEqual({
      user: {
        id: user_id,
        username: user?.username,
        discriminator: '0',
        global_name: 'Ada',
        avatar: null,
        bot: false,
      },
    });
  });

  test.each(['0', '404', '', 'none', '9223372036854775808'])('%j is nobody', async (user_id) => {
    expect(await faultOf(service.auth.getUser({ user_id }, IN_TIME))).toMatchObject({
      reason: 'UNKNOWN_USER',
    });
  });
});

describe('a profile', () => {
  test('changes, and reads return the changes', async () => {
    const { caller, user } = await registered(service.auth);
    const changed = await update(service.auth, caller, {
      global_name: to('  Grace  '),
      bio: to('Wrote a compiler.\nTwo lines 👩‍💻'),
      pronouns: to('she/her'),
      accent_color: to(0xff00aa),
    });
    expect(changed).toEqual({
      ...user,
      global_name: 'Grace',
      bio: 'Wrote a compiler.\nTwo lines 👩‍💻',
      pronouns: 'she/her',
      accent_color: 0xff00aa,
    });
    expect(await current(service.auth, caller)).toEqual(changed);

    const more = await update(service.auth, caller, { username: `Grace.${caller.account_id}`.slice(0, 32) });
    expect(more).toEqual({ ...changed, username: `Grace.${caller.account_id}` });
  });

  test('clears members that are null', async () => {
    const { caller, user } = await registered(service.auth, { global_name: 'Alan' });
    await update(service.auth, caller, { bio: to('x'), pronouns: to('y'), accent_color: to(0) });
    const none = { global_name: to(null), bio: to(null), pronouns: to(null), accent_color: to(null) };
    expect(await update(service.auth, caller, none)).toEqual({ ...user, global_name: null });
  });

  test('keeps a language in its canonical form, which null clears, and hides it from applications', async () => {
    const { caller, user } = await registered(service.auth);
    const german = await update(service.auth, caller, { locale: to('DE-latn-ch') });
    expect(german).toEqual({ ...user, locale: 'de-Latn-CH' });
    const application = { ...caller, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, scopes: ['identify'] };
    expect((await current(service.auth, application))?.locale).toBeNull();
    expect(await update(service.auth, caller, { locale: to(null) })).toEqual(user);
  });

  test('does not change if nothing is requested', async () => {
    const { caller, user } = await registered(service.auth);
    expect(await update(service.auth, caller, {})).toEqual(user);
    expect(await update(service.auth, caller, { end_other_sessions: true })).toEqual(user);
  });

  test('keeps two concurrent changes of different members', async () => {
    const { caller } = await registered(service.auth);
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        update(service.auth, caller, { bio: to(`bio ${round}`) }),
        update(service.auth, caller, { pronouns: to(`pronouns ${round}`) }),
      ]);
      expect(await current(service.auth, caller)).toMatchObject({
        bio: `bio ${round}`,
        pronouns: `pronouns ${round}`,
      });
    }
  });

  test('is changed by a live session only', async () => {
    const { caller } = await registered(service.auth);
    await service.auth.logout({}, { ...IN_TIME, caller });
    const strangers = [
      anonymous,
      caller,
      { ...caller, kind: CallerKind.CALLER_KIND_BOT },
      { ...caller, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, scopes: ['identify', 'email'] },
      { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '404', credential_id: '1' },
    ];
    for (const stranger of strangers) {
      const attempt = update(service.auth, stranger, { bio: to('taken over') });
      expect(await faultOf(attempt)).toMatchObject({ reason: 'UNAUTHORIZED' });
    }
  });
});

describe('bounds', () => {
  test.each<[string, Partial<UpdateCurrentUserRequest>]>([
    ['bio of 320', { bio: to('b'.repeat(320)) }],
    ['bio of 320 code points outside the BMP', { bio: to('🖋'.repeat(320)) }],
    ['empty bio', { bio: to('') }],
    ['pronouns of 40', { pronouns: to('p'.repeat(40)) }],
    ['empty pronouns', { pronouns: to('') }],
    ['white', { accent_color: to(0xffffff) }],
    ['black', { accent_color: to(0) }],
    ['language', { locale: to('de-CH') }],
    ['language of 35', { locale: to('de-CH-u-nu-latn-x-abcdefgh-abcdefgh') }],
    ['display name of 32 after trimming', { global_name: to(` ${'n'.repeat(32)} `) }],
  ])('%s is accepted', async (_what, changes) => {
    const { caller } = await registered(service.auth);
    const user = await update(service.auth, caller, changes);
    for (const [member, wanted] of Object.entries(changes)) {
      const { value } = wanted as { value: unknown };
      expect(user).toMatchObject({ [member]: typeof value === 'string' ? value.trim() : value });
    }
  });

  test.each<[string, Partial<UpdateCurrentUserRequest>, string[]]>([
    ['bio of 321', { bio: to('b'.repeat(321)) }, ['bio STRING_LENGTH_INVALID']],
    ['bio with NUL', { bio: to('a\0b') }, ['bio INVALID_FORMAT']],
    ['pronouns of 41', { pronouns: to('p'.repeat(41)) }, ['pronouns STRING_LENGTH_INVALID']],
    ['display name of blanks', { global_name: to('   ') }, ['global_name STRING_LENGTH_INVALID']],
    ['invisible display name', { global_name: to('\u200d\u00ad') }, ['global_name INVALID_FORMAT']],
    ['display name backwards', { global_name: to('a\u202eb') }, ['global_name INVALID_FORMAT']],
    ['display name with NUL', { global_name: to('a\0b') }, ['global_name INVALID_FORMAT']],
    ['display name of 33', { global_name: to('n'.repeat(33)) }, ['global_name STRING_LENGTH_INVALID']],
    ['a colour past white', { accent_color: to(0x1000000) }, ['accent_color COLOR_VALUE_TOO_HIGH']],
    ['no language', { locale: to('') }, ['locale INVALID_FORMAT']],
    ['language of an unknown form', { locale: to('de_CH') }, ['locale INVALID_FORMAT']],
    ['two languages', { locale: to('de,en') }, ['locale INVALID_FORMAT']],
    ['language of 36', { locale: to('de-CH-u-nu-latn-x-abcdefgh-abcdefghi') }, ['locale INVALID_FORMAT']],
    ['language with NUL', { locale: to('de\0') }, ['locale INVALID_FORMAT']],
    ['no user name', { username: '' }, ['username USERNAME_LENGTH_INVALID']],
    ['user name with a hyphen', { username: 'a-b' }, ['username USERNAME_INVALID_CHARACTERS']],
    ['no address', { email: 'nowhere' }, ['email INVALID_EMAIL_FORMAT']],
    ['password of 7', { new_password: '1234567' }, ['new_password PASSWORD_LENGTH_INVALID']],
    ['password of 257', { new_password: 'p'.repeat(257) }, ['new_password PASSWORD_LENGTH_INVALID']],
  ])('%s is refused', async (_what, changes, expected) => {
    const { caller, user } = await registered(service.auth);
    expect(await violationsOf(update(service.auth, caller, changes))).toEqual(expected);
    expect(await current(service.auth, caller)).toEqual(user);
  });

  test('all violations are reported at once, before a proof is required, and nothing changes', async () => {
    const { caller, user } = await registered(service.auth);
    const attempt = update(service.auth, caller, {
      username: 'a b',
      email: 'x',
      new_password: 'short',
      global_name: to(''),
      bio: to('b'.repeat(321)),
      pronouns: to('fine'),
      accent_color: to(2 ** 32 - 1),
      avatar: to('nonsense'),
      banner: to('R0lGODlh'),
    });
    expect(await violationsOf(attempt)).toEqual([
      'username USERNAME_INVALID_CHARACTERS',
      'email INVALID_EMAIL_FORMAT',
      'new_password PASSWORD_LENGTH_INVALID',
      'global_name STRING_LENGTH_INVALID',
      'bio STRING_LENGTH_INVALID',
      'accent_color COLOR_VALUE_TOO_HIGH',
      'avatar INVALID_FORMAT',
      'banner INVALID_FORMAT',
    ]);
    expect(await current(service.auth, caller)).toEqual(user);
  });
});

describe('a user name', () => {
  test('that belongs to another account is taken, in any letter case', async () => {
    const { user } = await registered(service.auth);
    const { caller } = await registered(service.auth);
    const username = user?.username.toUpperCase() ?? '';
    expect(await violationsOf(update(service.auth, caller, { username, bio: to('x') }))).toEqual([
      'username TAG_ALREADY_TAKEN',
    ]);
    expect((await current(service.auth, caller))?.bio).toBeNull();
  });

  test('can change its letter case, and is free once its account has another', async () => {
    const { caller, user } = await registered(service.auth);
    const before = user?.username ?? '';
    expect(await update(service.auth, caller, { username: before.toUpperCase() })).toMatchObject({
      username: before.toUpperCase(),
    });
    await update(service.auth, caller, { username: `${before}.` });
    const next = await registered(service.auth);
    expect(await update(service.auth, next.caller, { username: before })).toMatchObject({ username: before });
  });

  test('requested by 64 accounts at once at two replicas goes to one; the others keep theirs', async () => {
    const replicas = [service.auth, await service.replica()];
    const callers = await Promise.all(
      Array.from({ length: 64 }, async () => (await registered(service.auth)).caller),
    );
    const { answers, refusals } = await together(replicas, (auth, index) =>
      update(auth, callers[index] ?? anonymous, { username: 'Wanted', bio: to('won') }),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ 'username TAG_ALREADY_TAKEN': 63 });
    const { rows } = await service.db.query(
      "SELECT id::text FROM accounts WHERE username_key = 'wanted' OR bio = 'won'",
    );
    expect(rows).toEqual([{ id: answers[0]?.id }]);
  });
});
