import { inTransaction } from '@gatehouse/kit/db/transaction';
import { Fault } from '@gatehouse/kit/fault';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAccount } from '../../src/store/accounts/accounts.ts';
import { type AuthUnderTest, IN_TIME, type Replica, startAuth, tokenOf, whoIs } from '../auth.ts';
import { auditLogOf, person, personWithTotp, ticketFor, together, totpCode } from '../factors.ts';
import { loginOptions, passkeyOwner } from '../passkeys.ts';
import { type SuspensionReader, startOauth2, startWebhookDelivery } from './suspension-readers.ts';

const WHY = { operator: 'ada', reason: 'floods webhooks' };
const { CALLER_KIND_SESSION: SESSION, CALLER_KIND_BOT: BOT } = CallerKind;

let oauth2: SuspensionReader;
let webhookDelivery: SuspensionReader;
let service: AuthUnderTest;
let replicas: readonly Replica[];
beforeAll(async () => {
  [oauth2, webhookDelivery] = await Promise.all([startOauth2(), startWebhookDelivery()]);
  service = await startAuth('auth_suspension_races', {
    config: {
      oauth2_address: oauth2.address,
      webhook_delivery_address: webhookDelivery.address,
      login_location_check: false,
    },
  });
  replicas = [service, await service.adminReplica()];
});
afterAll(async () => {
  await service.close();
  await oauth2.close();
  await webhookDelivery.close();
});

const auths = () => replicas.map(({ auth }) => auth);
const suspend = (account_id: string, { admin }: Replica = service) =>
  admin.suspendAccount({ account_id, ...WHY }, IN_TIME);

/** What a suspended account may be answered. */
const REFUSALS = ['ACCOUNT_SUSPENDED', 'INVALID_FORM_BODY', 'UNAUTHORIZED', 'SERVICE_UNAVAILABLE'];

/** The answer of a call, or undefined if it is refused as those of suspended accounts are. */
async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Fault && REFUSALS.includes(error.reason)) return undefined;
    throw error;
  }
}

/** Checks at every replica that none of these tokens is live, and that the account has nothing to log in with. */
async function expectNothingLeft(user_id: string, tokens: readonly (string | undefined)[]): Promise<void> {
  for (const auth of auths())
    for (const token of tokens)
      if (token !== undefined) expect(await whoIs(auth, SESSION, token)).toBeUndefined();
  for (const table of ['sessions', 'mfa_tickets', 'held_logins']) {
    const { rowCount } = await service.db.query(`SELECT FROM ${table} WHERE account_id = $1`, [user_id]);
    expect(rowCount, table).toBe(0);
  }
}

/** The number of connections to the database that wait for a lock. */
async function waitingForLocks(): Promise<number | null> {
  const { rowCount } = await service.db.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount;
}

test('of 64 logins at two replicas during a suspension, none leaves a session', async () => {
  for (let round = 0; round < 2; round++) {
    const { user_id, email, password, token } = await person(service.auth);
    const logins = Array.from({ length: 64 }, (_, index) => {
      const auth = auths()[index % 2] ?? service.auth;
      return unlessRefused(auth.login({ email, password }, IN_TIME).then(tokenOf));
    });
    // Some are over, most are not begun.
    await Promise.any(logins);
    await suspend(user_id, replicas[round]);
    const after = await unlessRefused(service.auth.login({ email, password }, IN_TIME));
    expect(after).toBeUndefined();
    await expectNothingLeft(user_id, [token, ...(await Promise.all(logins))]);
  }
});

test('a login that comes after a suspension waits for it, so that logins cannot starve it', async () => {
  const { user_id, email, password } = await person(service.auth);
  const { suspension, late } = await inTransaction(service.db, async (tx) => {
    await lockAccount(tx, user_id); // as an earlier login does
    const suspension = suspend(user_id);
    await expect.poll(waitingForLocks).toBe(1);
    const late = unlessRefused(service.auth.login({ email, password }, IN_TIME));
    await expect.poll(waitingForLocks).toBe(2);
    return { suspension, late };
  });
  await suspension;
  expect(await late).toBeUndefined();
  await expectNothingLeft(user_id, []);
});

test('second factors that are proven during a suspension leave no session', async () => {
  for (let round = 0; round < 3; round++) {
    const someone = await personWithTotp(service.auth);
    const tickets = await Promise.all(Array.from({ length: 8 }, () => ticketFor(service.auth, someone)));
    const codes = [totpCode(someone.secret, Date.now()), ...someone.codes];
    const logins = tickets.map((ticket, index) => {
      const auth = auths()[index % 2] ?? service.auth;
      const attempt = auth.loginMfaTotp({ ticket, code: codes[index] ?? '' }, IN_TIME);
      return unlessRefused(attempt.then(({ token }) => token));
    });
    if (round > 0) await Promise.any(logins);
    await suspend(someone.user_id, replicas[round % 2]);
    await expectNothingLeft(someone.user_id, [someone.token, ...(await Promise.all(logins))]);
  }
});

test('passkeys that are proven during a suspension leave no session', async () => {
  const { user_id, device } = await passkeyOwner(service.auth);
  const responses: string[] = [];
  for (let count = 0; count < 8; count++) responses.push(device.get(await loginOptions(service.auth)));
  const logins = responses.map((response, index) => {
    const auth = auths()[index % 2] ?? service.auth;
    return unlessRefused(auth.loginPasskey({ response }, IN_TIME).then(({ token }) => token));
  });
  await suspend(user_id);
  await expectNothingLeft(user_id, await Promise.all(logins));
});

test('no credential is identified after the answer, while 64 callers ask all the time', async () => {
  const { user_id, token } = await person(service.auth);
  const { token: bot } = await service.auth.createBot(
    { application_id: '6001', name: 'Robot', owner_id: user_id },
    IN_TIME,
  );
  let isAnswered = false;
  let late = 0;
  const seen = { before: 0, after: 0 };
  const ask = async (index: number) => {
    const auth = auths()[index % 2] ?? service.auth;
    const [kind, credential] = index % 4 < 2 ? ([SESSION, token] as const) : ([BOT, bot] as const);
    for (let after = 0; after < 5; ) {
      const began = isAnswered;
      const identity = await whoIs(auth, kind, credential);
      if (began) after++;
      seen[began ? 'after' : 'before']++;
      if (began && identity !== undefined) late++;
    }
  };
  const callers = Array.from({ length: 64 }, (_, index) => ask(index));
  await expect.poll(() => seen.before).toBeGreaterThan(64);
  await suspend(user_id);
  isAnswered = true;
  await Promise.all(callers);
  expect(late).toBe(0);
  expect(seen.after).toBeGreaterThanOrEqual(64 * 5);
});

test('bots that are created during a suspension are refused', async () => {
  const { user_id } = await person(service.auth);
  const bots = Array.from({ length: 16 }, (_, index) => {
    const auth = auths()[index % 2] ?? service.auth;
    const application_id = String(6100 + index);
    const created = auth.createBot({ application_id, name: 'Robot', owner_id: user_id }, IN_TIME);
    return unlessRefused(created.then(({ token }) => token));
  });
  await suspend(user_id);
  const created = (await Promise.all(bots)).filter((token) => token !== undefined);
  for (const token of created) expect(await whoIs(service.auth, BOT, token)).toBeUndefined();
  const { rowCount } = await service.db.query(
    `SELECT FROM events JOIN bot_tokens ON application_id = account_id
      WHERE owner_id = $1 AND type = 'CREDENTIAL_ENDED'`,
    [user_id],
  );
  expect(rowCount).toBe(created.length); // an open connection of each bot is closed
});

test('a new bot token and a suspension at once leave no live token', async () => {
  for (let round = 0; round < 4; round++) {
    const { user_id, caller, password } = await person(service.auth);
    const application_id = String(6200 + round);
    await service.auth.createBot({ application_id, name: 'Robot', owner_id: user_id }, IN_TIME);
    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
    const resets = auths().map((auth) =>
      unlessRefused(
        auth
          .resetBotToken({ application_id, password: null }, { ...IN_TIME, caller })
          .then(({ token }) => token),
      ),
    );
    await suspend(user_id, replicas[round % 2]);
    const fresh = (await Promise.all(resets)).filter((token) => token !== undefined);
    for (const token of fresh) expect(await whoIs(service.auth, BOT, token)).toBeUndefined();
    const { rowCount } = await service.db.query(
      "SELECT FROM events WHERE account_id = $1 AND type = 'CREDENTIAL_ENDED'",
      [application_id],
    );
    expect(rowCount).toBe(1 + fresh.length); // the first token, and each that took its place
  }
});

test('64 operators at once at two replicas: each suspension begins once, and the last change counts here and at every service', async () => {
  const { user_id } = await person(service.auth);
  const { answers, refusals } = await together(auths(), (auth, index) => {
    const { admin } = replicas[auths().indexOf(auth)] ?? service;
    const who = { account_id: user_id, operator: `operator ${index}`, reason: 'r' };
    return index % 4 < 2 ? admin.suspendAccount(who, IN_TIME) : admin.restoreAccount(who, IN_TIME);
  });
  const { ALREADY_SUSPENDED: refused = 0, ...others } = refusals;
  expect(others).toEqual({});
  expect(answers.length + refused).toBe(64);
  const waiting = async () => (await service.db.query('SELECT FROM suspension_changes')).rowCount;
  await expect.poll(waiting, { timeout: 15_000 }).toBe(0);
  const { account } = await service.admin.getAccount({ account_id: user_id }, IN_TIME);
  const suspended = account?.suspension != null;
  expect(oauth2.isSuspended(user_id)).toBe(suspended);
  expect(webhookDelivery.isSuspended(user_id)).toBe(suspended);

  const kinds = (await auditLogOf(service, user_id)).filter((kind) => kind.startsWith('account.'));
  const ends = kinds.filter((kind) => kind === 'account.restored').length;
  const begun = answers.filter(
    ({ before, after }) => before?.suspension == null && after?.suspension != null,
  );
  expect(begun.length).toBeGreaterThan(0);
  expect(kinds.filter((kind) => kind === 'account.suspended')).toHaveLength(begun.length);
  expect(ends).toBeLessThanOrEqual(32);
  // Each answer's "before" is some other's "after": the operators saw one order.
  const afters = new Set(answers.map(({ after }) => JSON.stringify(after?.suspension ?? null)));
  for (const { before } of answers)
    expect([...afters, 'null']).toContain(JSON.stringify(before?.suspension ?? null));
});

test('suspensions of an owner and of its bots at once do not block each other', async () => {
  const { user_id } = await person(service.auth);
  const ids = ['6301', '6302', '6303'];
  for (const application_id of ids)
    await service.auth.createBot({ application_id, name: 'Robot', owner_id: user_id }, IN_TIME);
  const { refusals } = await together(auths(), (auth, index) => {
    const { admin } = replicas[auths().indexOf(auth)] ?? service;
    const account_id = [user_id, ...ids][index % 4] ?? '';
    const change = { account_id, ...WHY };
    return index % 8 < 4 ? admin.suspendAccount(change, IN_TIME) : admin.restoreAccount(change, IN_TIME);
  });
  expect(refusals).toEqual({});
  for (const account_id of [user_id, ...ids])
    await service.admin.restoreAccount({ account_id, ...WHY }, IN_TIME);
  const waiting = async () => (await service.db.query('SELECT FROM suspension_changes')).rowCount;
  await expect.poll(waiting, { timeout: 15_000 }).toBe(0);
  for (const id of [user_id, ...ids]) expect(webhookDelivery.isSuspended(id)).toBe(false);
});
