import { systemClock } from '@gatehouse/kit/clock';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { insertEndedAction } from '../store/actions.ts';
import { lockOperator } from '../store/operators.ts';
import { insertPasskey } from '../store/passkeys.ts';
import { setPassword } from '../store/passwords.ts';
import { deleteSession, findTotpDraft, setTotpDraft } from '../store/sessions.ts';
import { hashPassword } from './passwords.ts';
import { provenRegistration } from './registration.ts';
import { relyingParty } from './relying-party.ts';
import { openSession, type SignInBy } from './sessions.ts';
import { matchingSteps, newTotpSecret, totpContext, totpUri } from './totp.ts';

/** The session that sets up how its operator signs in. */
export interface Enrolling {
  readonly name: string;
  readonly ip: string;
  /** Its token's SHA-256. */
  readonly session: Buffer;
}

/** Makes a TOTP secret for an authenticator app. It counts once a code has proven it. */
export async function draftTotp(
  { db, encryption }: Pick<Deps, 'db' | 'encryption'>,
  { name, session }: Enrolling,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = newTotpSecret();
  await setTotpDraft(db, session, encryption.encrypt(secret, totpContext(name)));
  return { secret, uri: totpUri(secret, name) };
}

/**
 * Sets the password, and the TOTP secret that `code` proves. Returns the token of a session that is signed in.
 *
 * @throws BAD_REQUEST for a wrong code, or if there is a factor already
 */
export async function enrolPassword(
  { db, encryption }: Pick<Deps, 'db' | 'encryption'>,
  enrolling: Enrolling,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<string> {
  const { name, session } = enrolling;
  const totp_secret = await findTotpDraft(db, session);
  const secret = totp_secret && encryption.decrypt(totp_secret, totpContext(name));
  const [step] = secret === undefined ? [] : matchingSteps(secret, code, systemClock());
  if (totp_secret === undefined || step === undefined)
    throw badRequest('The code is wrong. Check the time of the device that shows it.');
  const password_hash = await hashPassword(password);
  return finish(db, enrolling, 'password', (tx) =>
    setPassword(tx, name, { password_hash, totp_secret, step }),
  );
}

/**
 * Adds a passkey. Returns the token of a session that is signed in.
 *
 * @param response RegistrationResponseJSON
 * @throws BAD_REQUEST for an invalid response, or if there is a factor already
 */
export async function enrolPasskey(
  { db, url }: Pick<Deps, 'db' | 'url'>,
  enrolling: Enrolling,
  response: unknown,
): Promise<string> {
  const key = await provenRegistration(db, relyingParty(url()), enrolling.name, response);
  if (key === undefined) throw badRequest('The passkey could not be verified. Start again.');
  return finish(db, enrolling, 'passkey', async (tx) => {
    if (!(await insertPasskey(tx, key))) throw badRequest('This passkey is in use already.');
  });
}

/** Another token replaces that of the link's session. */
function finish(
  db: Deps['db'],
  { name, ip, session }: Enrolling,
  by: SignInBy,
  store: (tx: PoolClient) => Promise<void>,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const operator = await lockOperator(tx, name);
    if (operator === undefined || !(await deleteSession(tx, session))) throw unauthorized();
    if (operator.totp || operator.passkeys > 0)
      throw badRequest('How this operator signs in is set up already. A new one-time link replaces it.');
    await store(tx);
    await insertEndedAction(tx, {
      operator: name,
      role: operator.role,
      ip,
      action: 'operator.enrol',
      target: `operator:${name}`,
      reason: '',
      outcome: 'done',
      detail: { by },
    });
    return openSession(tx, { operator: name, ip }, by);
  });
}
