import { faultOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { Authenticator } from '@gatehouse/dev-env/second-factors/authenticator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, sessionCaller, startAuth, tokenOf } from '../auth.ts';
import {
  insertUnusablePasskey,
  newTotpSecret,
  type Person,
  person,
  personWithTotp,
  STEP_MS,
  standingClock,
  ticketFor,
  together,
  totpCode,
} from '../factors.ts';
import { addPasskey } from '../passkeys.ts';
import { update } from '../profile.ts';

const time = standingClock();
let service: AuthUnderTest;
let replicas: Auth[];
beforeAll(async () => {
  service = await startAuth('auth_sudo_factor_changes', { clock: time.clock });
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

type Session = Pick<Person, 'caller'>;
const as = ({ caller }: Session) => ({ ...IN_TIME, caller });
/** An operation under sudo that an account with a second factor may do. */
const sudoOperation = (session: Session, proof = {}, auth = service.auth) =>
  auth.listBackupCodes(proof, as(session));
const refused = async (call: Promise<unknown>) => (await faultOf(call)).reason;

async function secondSession(someone: Person): Promise<Session> {
  const { email, password } = someone;
  return {
    caller: await sessionCaller(
      service.auth,
      tokenOf(await service.auth.login({ email, password }, IN_TIME)),
    ),
  };
}

/** Another session of an account with a second factor, opened with a backup code. */
async function secondSessionByCode(someone: Person, code: string): Promise<Session> {
  const ticket = await ticketFor(service.auth, someone);
  const { token } = await service.auth.loginMfaTotp({ ticket, code }, IN_TIME);
  return { caller: await sessionCaller(service.auth, token) };
}

async function enableTotp(session: Session, auth = service.auth): Promise<void> {
  const secret = newTotpSecret();
  await auth.enableTotp({ secret, code: totpCode(secret, time.now()) }, as(session));
}

/** Whether a session has a live grant in the database. */
async function granted({ caller }: Session): Promise<boolean> {
  const { rowCount } = await service.db.query(
    'SELECT FROM sudo_grants WHERE session_id = $1 AND expires_at > now()',
    [caller.credential_id],
  );
  return rowCount === 1;
}

describe('a grant by password', () => {
  test.each<[string, (session: Session) => Promise<unknown>]>([
    ['enables TOTP', (session) => enableTotp(session)],
    ['adds a passkey', ({ caller }) => addPasskey(service.auth, caller, new Authenticator())],
  ])('ends if another session %s, which keeps its own', async (_what, change) => {
    const someone = await person(service.auth);
    const other = await secondSession(someone);
    const { password } = someone;
    for (const session of [someone, other]) await service.auth.createSudoGrant({ password }, as(session));
    await change(other);
    expect(await refused(sudoOperation(someone))).toBe('SUDO_MODE_REQUIRED');
    expect(await granted(someone)).toBe(false);
    await sudoOperation(other);
  });
});

describe('a grant by a second factor', () => {
  test.each<[string, (session: Session, code: string, passkey: string) => Promise<unknown>]>([
    ['disables TOTP', (session, code) => service.auth.disableTotp({ code }, as(session))],
    ['deletes a passkey', (session, _code, id) => service.auth.deleteWebauthnCredential({ id }, as(session))],
  ])('ends if another session %s, which keeps its own', async (_what, change) => {
    const someone = await personWithTotp(service.auth, time.now());
    const passkey = await insertUnusablePasskey(service, someone.user_id);
    const [first = '', second = '', third = '', fourth = ''] = someone.codes;
    const other = await secondSessionByCode(someone, first);
    await service.auth.createSudoGrant({ mfa_code: second }, as(someone));
    await service.auth.createSudoGrant({ mfa_code: third }, as(other));
    await change(other, fourth, passkey);
    expect(await refused(sudoOperation(someone))).toBe('SUDO_MODE_REQUIRED');
    expect(await granted(someone)).toBe(false);
    await sudoOperation(other);
  });
});

test('of 64 concurrent calls at two replicas none gets the codes of a factor added meanwhile', async () => {
  for (let round = 0; round < 4; round++) {
    const someone = await person(service.auth);
    const other = await secondSession(someone);
    const { password } = someone;
    for (const session of [someone, other]) await service.auth.createSudoGrant({ password }, as(session));
    const { answers } = await together<unknown>(replicas, async (auth, index) => {
      if (index === 20) await enableTotp(other, auth);
      else if (index % 8 === 0) await auth.createSudoGrant({ password }, as(someone)).catch(() => undefined);
      else return sudoOperation(someone, index % 8 === 1 ? { password } : {}, auth);
      return undefined;
    });
    expect(answers.filter((answer) => answer !== undefined)).toEqual([]);
    expect(await granted(someone)).toBe(false);
    expect(await refused(sudoOperation(someone))).toBe('SUDO_MODE_REQUIRED');
  }
});

describe('between the proof and the operation', () => {
  /** Locks the account until a call waits for it, then adds a factor. */
  async function whileFactorComes({ user_id }: Person, call: () => Promise<unknown>): Promise<string> {
    const change = await service.db.connect();
    try {
      await change.query('BEGIN');
      await change.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [user_id]);
      const refusal = refused(call());
      await untilWaitingForLock(change, 1);
      await change.query(
        `INSERT INTO webauthn_credentials (id, account_id, name, public_key, counter)
         VALUES ('came ' || $1, $1::bigint, 'Key', '', 0)`,
        [user_id],
      );
      await change.query(
        'DELETE FROM sudo_grants USING sessions WHERE session_id = sessions.id AND account_id = $1',
        [user_id],
      );
      await change.query('COMMIT');
      return await refusal;
    } finally {
      change.release();
    }
  }

  test('a new factor voids a grant or a password proof', async () => {
    const someone = await person(service.auth);
    const { password } = someone;
    expect(await whileFactorComes(someone, () => sudoOperation(someone, { password }))).toBe(
      'SUDO_MODE_REQUIRED',
    );

    const another = await person(service.auth);
    await service.auth.createSudoGrant({ password: another.password }, as(another));
    expect(await whileFactorComes(another, () => sudoOperation(another))).toBe('SUDO_MODE_REQUIRED');
  });

  test('a change of address or password checks the proof again', async () => {
    const someone = await person(service.auth);
    const { password } = someone;
    const change = { new_password: 'another good password', password };
    const call = () => update(service.auth, someone.caller, change);
    expect(await whileFactorComes(someone, call)).toBe('SUDO_MODE_REQUIRED');
  });

  test('a proof under other factors grants nothing', async () => {
    const someone = await personWithTotp(service.auth, time.now());
    time.forward(STEP_MS);
    const mfa_code = totpCode(someone.secret, time.now());
    const call = () => service.auth.createSudoGrant({ mfa_code }, as(someone));
    expect(await whileFactorComes(someone, call)).toBe('SUDO_MODE_REQUIRED');
    expect(await granted(someone)).toBe(false);
  });
});
