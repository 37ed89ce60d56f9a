import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '@gatehouse/kit/clock';
import { Fault } from '@gatehouse/kit/fault';
import type { RegisterResponse } from '@gatehouse/proto/auth';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { type Auth, type AuthUnderTest, IN_TIME, newcomer, registered } from './auth.ts';

/** A clock that stands still until it is moved. It starts at the start of a 30-second step. */
export interface StandingClock {
  readonly clock: Clock;
  now(): number;
  forward(ms: number): void;
}

export const STEP_MS = 30_000;

export function standingClock(): StandingClock {
  let now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  return {
    clock: () => now,
    now: () => now,
    forward: (ms) => {
      now += ms;
    },
  };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(letters = 32): string {
  return Array.from(randomBytes(letters), (byte) => BASE32[byte % 32]).join('');
}

/** The code of an authenticator app (RFC 6238), implemented independently of the service. */
export function totpCode(secret: string, at_ms: number): string {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at_ms / STEP_MS)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A code that is wrong for all steps around this time. */
export function wrongCode(secret: string, at_ms: number): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => totpCode(secret, at_ms + steps * STEP_MS));
  for (let guess = 0; ; guess++) {
    const code = String(guess).padStart(6, '0');
    if (!right.includes(code)) return code;
  }
}

export type Person = RegisterResponse & {
  readonly caller: Caller;
  readonly email: string;
  readonly password: string;
};

/** An account with its password. */
export async function person(auth: Auth): Promise<Person> {
  const { email, password } = newcomer();
  return { ...(await registered(auth, { email, password })), email, password };
}

export type PersonWithTotp = Person & { readonly secret: string; readonly codes: readonly string[] };

/**
 * An account with TOTP. The code of the step before that of `now_ms` was used to enable it: by default
 * the current one, since with a running clock the code before may expire on the way.
 */
export async function personWithTotp(auth: Auth, now_ms = Date.now() + STEP_MS): Promise<PersonWithTotp> {
  const someone = await person(auth);
  const secret = newTotpSecret();
  const { backup_codes } = await auth.enableTotp(
    { secret, code: totpCode(secret, now_ms - STEP_MS), password: someone.password },
    { ...IN_TIME, caller: someone.caller },
  );
  return { ...someone, secret, codes: backup_codes.map(({ code }) => code) };
}

/** Logs in with the password and returns the multi-factor ticket. */
export async function ticketFor(
  auth: Auth,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<string> {
  const { ticket } = await auth.login({ email, password }, IN_TIME);
  if (ticket == null) throw new Error('the login required no second factor');
  return ticket;
}

/** Inserts an unusable passkey, and returns its ID. */
export async function insertUnusablePasskey({ db }: AuthUnderTest, account_id: string): Promise<string> {
  const id = Buffer.from(`planted ${account_id}`).toString('base64url');
  await db.query(
    "INSERT INTO webauthn_credentials (id, account_id, name, public_key, counter) VALUES ($1, $2, 'Key', '', 0)",
    [id, account_id],
  );
  return id;
}

/** The kinds of events in an account's audit log, oldest first. */
export async function auditLogOf({ db }: AuthUnderTest, account_id: string): Promise<string[]> {
  const { rows } = await db.query<{ kind: string }>(
    'SELECT kind FROM security_events WHERE account_id = $1 ORDER BY at, id',
    [account_id],
  );
  return rows.map(({ kind }) => kind);
}

/** The results of 64 concurrent calls over all replicas: the responses, and the errors by their text. */
export async function together<T>(
  replicas: readonly Auth[],
  call: (auth: Auth, index: number) => Promise<T>,
): Promise<{ answers: T[]; refusals: Record<string, number> }> {
  const calls = Array.from({ length: 64 / replicas.length }, (_, round) =>
    replicas.map((auth, index) => call(auth, round * replicas.length + index)),
  ).flat();
  const answers: T[] = [];
  const refusals: Record<string, number> = {};
  for (const settled of await Promise.allSettled(calls)) {
    if (settled.status === 'fulfilled') answers.push(settled.value);
    else {
      const refusal = refusalOf(settled.reason);
      refusals[refusal] = (refusals[refusal] ?? 0) + 1;
    }
  }
  return { answers, refusals };
}

function refusalOf(error: unknown): string {
  if (!(error instanceof Fault)) return String(error);
  const violations = error.violations.map(({ path, code }) => `${path} ${code}`);
  return violations.length > 0 ? violations.join(', ') : error.reason;
}
