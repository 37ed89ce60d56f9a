import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import {
  type Auth,
  type AuthUnderTest,
  IN_TIME,
  registered,
  sessionCaller,
  startAuth,
  tokenOf,
  whoIs,
} from '../auth.ts';
import { newTotpSecret, type Person, person, standingClock, totpCode } from '../factors.ts';
import { mailTo } from '../mails.ts';
import { addPasskey, passkeyOwner } from '../passkeys.ts';
import { to, update } from '../profile.ts';
import { credentialEnded, eventsOf, type SeenEvent, userUpdate } from './event-reader.ts';

const { clock, now } = standingClock();
const PICTURE = onePixel('red').toString('base64');
const NEW = 'a quite different password';

let service: AuthUnderTest;
let elsewhere: Auth;
beforeAll(async () => {
  service = await startAuth('auth_events', { clock, config: { login_location_check: false } });
  elsewhere = await service.replica();
});
afterAll(() => service.close());

/** The events that a reader at the other replica receives from `work` at this one. */
const events = (work: () => Promise<unknown>): Promise<SeenEvent[]> => eventsOf(service, elsewhere, work);

const call = (caller: Caller) => ({ ...IN_TIME, caller });
const ended = ({ account_id, credential_id }: Caller): SeenEvent =>
  credentialEnded(account_id, credential_id);

/** Another session of a person. */
async function device({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Caller> {
  return sessionCaller(service.auth, tokenOf(await service.auth.login({ email, password }, IN_TIME)));
}

/** A bot, and its token as a credential. */
async function newBot(application_id: string, owner_id: string): Promise<Caller> {
  const { token } = await service.auth.createBot({ application_id, name: 'Helper', owner_id }, IN_TIME);
  const { identity } = await service.auth.identify({ kind: CallerKind.CALLER_KIND_BOT, token }, IN_TIME);
  if (identity == null) throw new Error('the bot has no token');
  return { ...anonymous, kind: CallerKind.CALLER_KIND_BOT, ...identity };
}

const sorted = (list: readonly SeenEvent[]) => list.map((event) => event.join(' ')).sort();

describe('the end of a session is an event', () => {
  test('by a logout', async () => {
    const { caller } = await person(service.auth);
    expect(await events(() => service.auth.logout({}, call(caller)))).toEqual([ended(caller)]);
    const again = service.auth.logout({}, call(caller)).catch(() => undefined);
    expect(await events(() => again)).toEqual([]);
  });

  test('if its owner ends some or all of them', async () => {
    const someone = await person(service.auth);
    const [one, two, three] = [await device(someone), await device(someone), await device(someone)];
    const { sessions } = await service.auth.listSessions({}, call(three));
    const hash = sessions.find(({ current }) => current)?.id_hash ?? '';
    const end = (which: { session_id_hashes?: string[]; others?: boolean; all?: boolean }) => () =>
      service.auth.endSessions({ session_id_hashes: [], ...which }, call(one));
    expect(await events(end({ session_id_hashes: [hash] }))).toEqual([ended(three)]);
    expect(sorted(await events(end({ others: true })))).toEqual(sorted([ended(two), ended(someone.caller)]));
    expect(await events(end({ all: true }))).toEqual([ended(one)]);
  });

  test('if the password is reset by mail', async () => {
    const someone = await person(service.auth);
    const second = await device(someone);
    await service.auth.forgotPassword({ email: someone.email }, IN_TIME);
    const { token } = await mailTo(service.mail_dir, someone.email, 2);
    const seen = await events(() => service.auth.resetPassword({ token, password: NEW }, IN_TIME));
    expect(sorted(seen)).toEqual(sorted([ended(someone.caller), ended(second), userUpdate(someone.user_id)]));
  });

  test('if a change of password ends the others', async () => {
    const someone = await person(service.auth);
    const { caller, password } = someone;
    const second = await device(someone);
    const change = { new_password: NEW, end_other_sessions: true, password };
    const seen = await events(() => update(service.auth, caller, change));
    expect(sorted(seen)).toEqual(sorted([ended(second), userUpdate(caller.account_id)]));
  });

  test('if it makes room for a new one', async () => {
    const someone = await person(service.auth);
    await service.db.query(
      `INSERT INTO sessions (id, account_id, token_hash, created_at)
       SELECT n, $1, sha256(n::text::bytea), now() - n * interval '1 hour' FROM generate_series(1, 199) AS n`,
      [someone.user_id],
    );
    const login = () => service.auth.login({ email: someone.email, password: someone.password }, IN_TIME);
    expect(await events(login)).toEqual([credentialEnded(someone.user_id, '199')]);
  });

  test('if the account is deleted, with its bots', async () => {
    const { caller, user_id, password } = await person(service.auth);
    const bots = [await newBot('3001', user_id), await newBot('3002', user_id)];
    const secret = newTotpSecret();
    const mfa = { secret, code: totpCode(secret, now()), password };
    const { backup_codes } = await service.auth.enableTotp(mfa, call(caller));
    const proof = { mfa_code: backup_codes[0]?.code ?? '' };
    const seen = await events(() => service.auth.deleteCurrentUser(proof, call(caller)));
    expect(sorted(seen)).toEqual(sorted([ended(caller), ...bots.map(ended)]));
  });

  test('if it is too old, once its row is deleted', async () => {
    const short = await startAuth('auth_events_expired', {
      config: { session_max_days: 1 },
      background_every_ms: 20,
    });
    try {
      const { caller } = await registered(short.auth);
      const seen = await eventsOf(short, short.auth, async () => {
        await short.db.query(`UPDATE sessions SET created_at = now() - interval '2 days'`);
        await expect.poll(async () => (await short.db.query('SELECT FROM sessions')).rowCount).toBe(0);
      });
      expect(seen).toEqual([ended(caller)]);
    } finally {
      await short.close();
    }
  });
});

describe('the end of a bot token is an event', () => {
  test('if its owner resets it; and the new one has another ID', async () => {
    const { caller, password } = await person(service.auth);
    const bot = await newBot('3101', caller.account_id);
    const reset = () => service.auth.resetBotToken({ application_id: '3101', password }, call(caller));
    expect(await events(reset)).toEqual([ended(bot)]);
    const { rows } = await service.db.query('SELECT id FROM bot_tokens WHERE application_id = 3101');
    expect(await events(reset)).toEqual([credentialEnded('3101', rows[0].id)]);
  });

  test('if its application is deleted', async () => {
    const { user_id: owner_id } = await person(service.auth);
    const bot = await newBot('3201', owner_id);
    const remove = () => service.auth.deleteBot({ application_id: '3201', owner_id }, IN_TIME);
    expect(await events(remove)).toEqual([ended(bot)]);
    expect(await events(remove)).toEqual([]);
  });
});

describe('a change of the current user is an event', () => {
  test('for each member of the profile that differs', async () => {
    const { caller, user_id, password } = await person(service.auth);
    const changes = [
      { global_name: to('Somebody') },
      { bio: to('A bio') },
      { pronouns: to('they/them') },
      { accent_color: to(0x336699) },
      { locale: to('de') },
      { avatar: to(PICTURE) },
      { banner: to(PICTURE) },
      { username: `renamed_${user_id}`, password },
      { email: `renamed.${user_id}@example.com`, password },
    ];
    for (const change of changes) {
      expect(await events(() => update(service.auth, caller, change))).toEqual([userUpdate(user_id)]);
    }
    const same = { global_name: to('Somebody'), bio: to('A bio'), accent_color: to(0x336699) };
    expect(await events(() => update(service.auth, caller, same))).toEqual([]);
  });

  test('if the address is verified', async () => {
    const { email, user_id } = await person(service.auth);
    const { token } = await mailTo(service.mail_dir, email);
    expect(await events(() => service.auth.verifyEmail({ token }, IN_TIME))).toEqual([userUpdate(user_id)]);
  });

  test('of a bot', async () => {
    const { user_id: owner_id } = await person(service.auth);
    await newBot('3301', owner_id);
    const rename = { application_id: '3301', owner_id, username: 'Renamed_Helper', avatar: null };
    expect(await events(() => service.auth.updateBot(rename, IN_TIME))).toEqual([userUpdate('3301')]);
  });

  test('if an authenticator app is added or removed', async () => {
    const { caller, user_id, password } = await person(service.auth);
    const secret = newTotpSecret();
    const enable = { secret, code: totpCode(secret, now()), password };
    let codes: readonly { code: string }[] = [];
    const seen = await events(async () => {
      codes = (await service.auth.enableTotp(enable, call(caller))).backup_codes;
    });
    expect(seen).toEqual([userUpdate(user_id)]);
    const disable = { code: codes[0]?.code ?? '' };
    expect(await events(() => service.auth.disableTotp(disable, call(caller)))).toEqual([
      userUpdate(user_id),
    ]);
  });

  test('for the first passkey and the last, not for those between', async () => {
    const first = await events(() => passkeyOwner(service.auth));
    expect(first).toEqual([userUpdate(first[0]?.[1] ?? '')]);
    const { caller, user_id, passkey } = await passkeyOwner(service.auth);
    let second = '';
    const add = async () => {
      second = (await addPasskey(service.auth, caller, new Authenticator())).id;
    };
    const remove = (id: string) => () => service.auth.deleteWebauthnCredential({ id }, call(caller));
    expect(await events(add)).toEqual([]);
    expect(await events(remove(passkey.id))).toEqual([]);
    expect(await events(remove(second))).toEqual([userUpdate(user_id)]);
  });
});

describe('no event is written', () => {
  test('for a new account, a login, and the use of a session', async () => {
    const seen = await events(async () => {
      const someone = await person(service.auth);
      const { token } = await service.auth.login(someone, IN_TIME);
      for (const auth of [service.auth, elsewhere])
        expect(await whoIs(auth, CallerKind.CALLER_KIND_SESSION, token ?? '')).toBe(someone.user_id);
      await service.db.query('UPDATE sessions SET last_used_at = now()');
      await newBot('3401', someone.user_id);
    });
    expect(seen).toEqual([]);
  });

  test('for a renewed hash of the same password', async () => {
    const { user_id } = await person(service.auth);
    const renew = () =>
      service.db.query(`UPDATE accounts SET password_hash = password_hash || ' ' WHERE id = $1`, [user_id]);
    expect(await events(renew)).toEqual([]);
  });

  test('for a transaction that was rolled back', async () => {
    const { caller } = await person(service.auth);
    const seen = await events(async () => {
      const client = await service.db.connect();
      await client.query('BEGIN');
      await client.query('DELETE FROM sessions WHERE account_id = $1', [caller.account_id]);
      await client.query('ROLLBACK');
      client.release();
    });
    expect(seen).toEqual([]);
  });
});
