import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { Fault, unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous, implement, serve } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth, tokenOf, whoIs } from '../auth.ts';
import { auditLogOf, type Person, person, personWithTotp, together } from '../factors.ts';
import { to, update } from '../profile.ts';

/** The accounts of oauth2's EndAccount calls, and its response to them. */
const ended: string[] = [];
const succeeds = async () => ({});
let endAccount: () => Promise<object> = succeeds;

let oauth2: { address: string; close(): Promise<void> };
let service: AuthUnderTest;
let elsewhere: Auth;

async function startOauth2(address: string) {
  return serve({
    address,
    implementations: [
      implement(
        Oauth2ServiceDefinition,
        someHandlers(Oauth2ServiceDefinition, {
          endAccount: ({ account_id }) => {
            ended.push(account_id);
            return endAccount();
          },
        }),
      ),
    ],
    log: silentLogger,
  });
}

beforeAll(async () => {
  oauth2 = await startOauth2('127.0.0.1:0');
  service = await startAuth('auth_delete_account', {
    config: { oauth2_address: oauth2.address, login_location_check: false },
  });
  elsewhere = await service.replica();
});
afterEach(() => {
  endAccount = succeeds;
  ended.length = 0;
});
afterAll(async () => {
  await service.close();
  await oauth2.close();
});

const remove = (caller: Caller, proof: { password?: string; mfa_code?: string }, auth = service.auth) =>
  auth.deleteCurrentUser(proof, { ...IN_TIME, caller });
const session = (token: string, auth = elsewhere) => whoIs(auth, CallerKind.CALLER_KIND_SESSION, token);
const bot = (token: string, auth = elsewhere) => whoIs(auth, CallerKind.CALLER_KIND_BOT, token);
const toldLater = async () =>
  (await service.db.query<{ id: string }>('SELECT id FROM deleted_accounts')).rows.map(({ id }) => id);

let application = 7000;
async function botOf({ user_id }: Person): Promise<{ id: string; token: string }> {
  application++;
  const id = String(application);
  const { token } = await service.auth.createBot(
    { application_id: id, name: 'Robot', owner_id: user_id },
    IN_TIME,
  );
  return { id, token };
}

describe('a deleted account', () => {
  test('is gone at every replica at once, with its sessions, bots, pictures and other rows', async () => {
    const someone = await personWithTotp(service.auth);
    const { user_id, caller, token, email, password, codes } = someone;
    const [code = '', spare = ''] = codes;
    const robot = await botOf(someone);
    const { avatar } = await update(service.auth, caller, {
      avatar: to(onePixel('red').toString('base64')),
    });
    expect(service.media.avatarOf(user_id)).toBe(avatar);
    await service.auth.login({ email, password }, IN_TIME);
    await service.auth.forgotPassword({ email }, IN_TIME);

    expect(await remove(caller, { mfa_code: code })).toEqual({});
    expect(await session(token)).toBeUndefined();
    expect(await bot(robot.token)).toBeUndefined();
    expect(await faultOf(elsewhere.getCurrentUser({}, { ...IN_TIME, caller }))).toMatchObject({
      reason: 'UNAUTHORIZED',
    });
    for (const id of [user_id, robot.id]) {
      expect(await faultOf(elsewhere.getUser({ user_id: id }, IN_TIME))).toMatchObject({
        reason: 'UNKNOWN_USER',
      });
    }
    expect(service.media.avatarOf(user_id)).toBeNull();
    expect(await violationsOf(service.auth.login({ email, password }, IN_TIME))).toContain(
      'password INVALID_EMAIL_OR_PASSWORD',
    );
    expect(await faultOf(remove(caller, { mfa_code: spare }))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await rowsOf(user_id)).toEqual(['events', 'security_events']);
    expect((await auditLogOf(service, user_id)).at(-1)).toBe('account.deleted');

    expect(ended).toEqual([user_id]);
    expect(await toldLater()).toEqual([]);
  });

  test('frees its name and address', async () => {
    const { caller, email, password, user } = await person(service.auth);
    await remove(caller, { password });
    const next = await service.auth.register({ email, username: user?.username ?? '', password }, IN_TIME);
    expect(next.user).toMatchObject({ email, username: user?.username });
  });

  test('does not affect other accounts and their bots', async () => {
    const [one, two] = [await person(service.auth), await person(service.auth)];
    const robot = await botOf(two);
    await remove(one.caller, one);
    expect(await session(two.token)).toBe(two.user_id);
    expect(await bot(robot.token)).toBe(robot.id);
  });
});

describe('a deletion', () => {
  test('needs a proof, and a session', async () => {
    const { caller, token, password, user_id } = await person(service.auth);
    expect(await faultOf(remove(caller, {}))).toMatchObject({ reason: 'SUDO_MODE_REQUIRED' });
    expect(await violationsOf(remove(caller, { password: 'wrong password' }))).toEqual([
      'password INVALID_PASSWORD',
    ]);
    for (const kind of [CallerKind.CALLER_KIND_BOT, CallerKind.CALLER_KIND_ACCESS_TOKEN]) {
      const attempt = remove({ ...caller, kind }, { password });
      expect(await faultOf(attempt)).toMatchObject({ reason: 'UNAUTHORIZED' });
    }
    expect(await faultOf(remove(anonymous, { password }))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await session(token)).toBe(user_id);
    expect(ended).toEqual([]);
  });

  test('requested 64 times at once at two replicas, happens once', async () => {
    const { caller, password, user_id } = await person(service.auth);
    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
    const { answers, refusals } = await together([service.auth, elsewhere], (auth) =>
      remove(caller, {}, auth),
    );
    expect(answers).toHaveLength(1);
    expect(refusals).toEqual({ UNAUTHORIZED: 63 });
    expect(ended).toEqual([user_id]);
    expect((await auditLogOf(service, user_id)).filter((kind) => kind === 'account.deleted')).toHaveLength(1);
  });

  test('leaves nothing of concurrent logins, changes and new bots', async () => {
    for (let round = 0; round < 3; round++) {
      const someone = await person(service.auth);
      const { caller, email, password, user_id } = someone;
      await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
      const logins = Array.from({ length: 8 }, () =>
        service.auth.login({ email, password }, IN_TIME).then(tokenOf).catch(refused),
      );
      const bots = Array.from({ length: 4 }, () => botOf(someone).catch(refused));
      const changes = [1, 2].map((n) => update(elsewhere, caller, { bio: to(`b${n}`) }).catch(refused));
      await Promise.all([...logins, remove(caller, {}, elsewhere), ...bots, ...changes]);
      expect(await rowsOf(user_id)).toEqual(['events', 'security_events']);
      for (const made of await Promise.all(bots)) if (made) expect(await bot(made.token)).toBeUndefined();
      for (const token of await Promise.all(logins)) if (token) expect(await session(token)).toBeUndefined();
    }
  });

  test('succeeds while oauth2 is unavailable; oauth2 gets one call afterwards', async () => {
    await oauth2.close();
    const { caller, token, password, user_id } = await person(service.auth);
    expect(await remove(caller, { password })).toEqual({});
    expect(await session(token)).toBeUndefined();
    expect(await toldLater()).toEqual([user_id]);

    oauth2 = await startOauth2(oauth2.address);
    await expect.poll(toldLater).toEqual([]);
    expect(ended).toEqual([user_id]);
  });

  test('succeeds while oauth2 fails or hangs, and the call is retried', async () => {
    const hung: (() => void)[] = [];
    endAccount = () => new Promise((resolve) => hung.push(() => resolve({})));
    const one = await person(service.auth);
    await remove(one.caller, one);
    endAccount = () => Promise.reject(unavailable());
    const two = await person(service.auth);
    await remove(two.caller, two);
    expect((await toldLater()).sort()).toEqual([one.user_id, two.user_id].sort());

    endAccount = succeeds;
    for (const answer of hung) answer();
    await expect.poll(toldLater).toEqual([]);
    expect(new Set(ended)).toEqual(new Set([one.user_id, two.user_id]));
  });
});

/** After the deletion, every credential is refused like an unknown one. */
function refused(error: unknown): undefined {
  if (error instanceof Fault && ['UNAUTHORIZED', 'INVALID_FORM_BODY'].includes(error.reason))
    return undefined;
  throw error;
}

/** The tables with a row of this account. */
async function rowsOf(account_id: string): Promise<string[]> {
  const { rows } = await service.db.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND (column_name IN ('account_id', 'owner_id') OR table_name = 'accounts' AND column_name = 'id')
      ORDER BY table_name`,
  );
  const found: string[] = [];
  for (const { table_name, column_name } of rows) {
    const { rowCount } = await service.db.query(`SELECT FROM ${table_name} WHERE ${column_name} = $1`, [
      account_id,
    ]);
    if (rowCount !== 0) found.push(table_name);
  }
  return found;
}
