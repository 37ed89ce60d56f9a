import { setTimeout } from 'node:timers/promises';
import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { unavailable } from '@gatehouse/kit/fault';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type AuthUnderTest,
  IN_TIME,
  type Replica,
  sessionCaller,
  startAuth,
  tokenOf,
  whoIs,
} from '../auth.ts';
import { credentialEnded, eventsOf, type SeenEvent } from '../events/event-reader.ts';
import { auditLogOf, type Person, person, personWithTotp, ticketFor, totpCode } from '../factors.ts';
import { mailTo } from '../mails.ts';
import { loginOptions, passkeyOwner } from '../passkeys.ts';
import { type SuspensionReader, startOauth2, startWebhookDelivery } from './suspension-readers.ts';

const WHY = { operator: 'ada', reason: 'floods webhooks' };
const { CALLER_KIND_SESSION: SESSION, CALLER_KIND_BOT: BOT } = CallerKind;

let oauth2: SuspensionReader;
let webhookDelivery: SuspensionReader;
let service: AuthUnderTest;
let elsewhere: Replica;
beforeAll(async () => {
  [oauth2, webhookDelivery] = await Promise.all([startOauth2(), startWebhookDelivery()]);
  service = await startAuth('auth_suspension', {
    config: {
      oauth2_address: oauth2.address,
      webhook_delivery_address: webhookDelivery.address,
      login_location_check: false,
    },
  });
  elsewhere = await service.adminReplica();
});
afterEach(() => {
  oauth2.answer = async () => undefined;
});
afterAll(async () => {
  await service.close();
  await oauth2.close();
  await webhookDelivery.close();
});

const suspend = (account_id: string, why = WHY) =>
  service.admin.suspendAccount({ account_id, ...why }, IN_TIME);
const restore = (account_id: string, why = WHY) =>
  service.admin.restoreAccount({ account_id, ...why }, IN_TIME);
const login = ({ email, password }: Pick<Person, 'email' | 'password'>) =>
  elsewhere.auth.login({ email, password }, IN_TIME);
const unconfirmed = async () =>
  (
    await service.db.query<{ service: string }>('SELECT service FROM suspension_changes ORDER BY service')
  ).rows.map((row) => row.service);

let application = 5000;
async function botOf(owner_id: string): Promise<{ id: string; token: string }> {
  application++;
  const id = String(application);
  const { token } = await service.auth.createBot({ application_id: id, name: 'Robot', owner_id }, IN_TIME);
  return { id, token };
}
const bot = (token: string) => whoIs(elsewhere.auth, BOT, token);

describe('a suspended account', () => {
  test('has no live session, cookie or bot token at any replica', async () => {
    const someone = await person(service.auth);
    const { user_id, caller, token } = someone;
    const robot = await botOf(user_id);
    const second = tokenOf(await login(someone));
    const { cookie } = await service.auth.createBrowserSession({ token }, { ...IN_TIME, caller });
    const { before, after, ended_sessions, pending } = await suspend(user_id);
    expect({ ended_sessions, pending }).toEqual({ ended_sessions: 2, pending: [] });
    expect(before?.suspension ?? null).toBeNull();
    expect(after).toMatchObject({ id: user_id, suspension: WHY });
    expect(Math.abs((after?.suspension?.at_ms ?? 0) - Date.now())).toBeLessThan(60_000);

    for (const dead of [token, second]) expect(await whoIs(elsewhere.auth, SESSION, dead)).toBeUndefined();
    expect(await bot(robot.token)).toBeUndefined();
    const secret = cookie?.secret ?? '';
    expect(await reasonOf(elsewhere.auth.resumeBrowserSession({ secret }, IN_TIME))).toBe('UNAUTHORIZED');
    const again = elsewhere.auth.createBrowserSession({ token }, { ...IN_TIME, caller });
    expect(await reasonOf(again)).toBe('UNAUTHORIZED');
    expect(oauth2.isSuspended(user_id)).toBe(true);
    expect(webhookDelivery.isSuspended(user_id)).toBe(true);
    expect(webhookDelivery.isSuspended(robot.id)).toBe(true);
  });

  test('cannot log in: the right password gets 403, a wrong one what others get', async () => {
    const someone = await person(service.auth);
    await suspend(someone.user_id);
    const fault = await faultOf(login(someone));
    expect(fault).toMatchObject({ reason: 'ACCOUNT_SUSPENDED', message: 'This account is suspended.' });
    expect(await violationsOf(login({ ...someone, password: 'wrong password' }))).toEqual([
      'email INVALID_EMAIL_OR_PASSWORD',
      'password INVALID_EMAIL_OR_PASSWORD',
    ]);
    const { rows } = await service.db.query(
      "SELECT detail FROM security_events WHERE account_id = $1 AND kind = 'login.failed' ORDER BY id",
      [someone.user_id],
    );
    expect(rows.map(({ detail }) => detail)).toEqual([{ proof: 'password', suspended: true }, {}]);
  });

  test('gets no session by a ticket from before, nor by a passkey', async () => {
    const { auth } = service;
    const someone = await personWithTotp(auth);
    const ticket = await ticketFor(auth, someone);
    await suspend(someone.user_id);
    const code = totpCode(someone.secret, Date.now());
    expect(await violationsOf(elsewhere.auth.loginMfaTotp({ ticket, code }, IN_TIME))).toEqual([
      'ticket INVALID_OR_EXPIRED_TICKET',
    ]);
    expect(await reasonOf(login(someone))).toBe('ACCOUNT_SUSPENDED');

    const owner = await passkeyOwner(auth);
    const response = owner.device.get(await loginOptions(auth));
    await suspend(owner.user_id);
    expect(await reasonOf(elsewhere.auth.loginPasskey({ response }, IN_TIME))).toBe('ACCOUNT_SUSPENDED');
  });

  test('cannot reset its password, by a mail from before or a new one', async () => {
    const someone = await person(service.auth);
    const { email, user_id } = someone;
    await service.auth.forgotPassword({ email }, IN_TIME);
    const old = await mailTo(service.mail_dir, email, 2);
    await suspend(user_id);
    const reset = (token: string) =>
      elsewhere.auth.resetPassword({ token, password: 'a quite different password' }, IN_TIME);
    expect(await violationsOf(reset(old.token))).toEqual(['token INVALID_OR_EXPIRED_TOKEN']);
    await service.auth.forgotPassword({ email }, IN_TIME);
    const { token } = await mailTo(service.mail_dir, email, 3);
    expect(await reasonOf(reset(token))).toBe('ACCOUNT_SUSPENDED');

    await restore(user_id);
    expect(await login(someone)).toMatchObject({ user_id }); // the password is as it was
  });

  test('gets no new bot; a new token of its bot stays refused', async () => {
    const { user_id, caller, password } = await person(service.auth);
    const robot = await botOf(user_id);
    await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
    await suspend(user_id);
    expect(await reasonOf(botOf(user_id))).toBe('UNAUTHORIZED');
    const reset = service.auth.resetBotToken({ application_id: robot.id, password }, { ...IN_TIME, caller });
    expect(await reasonOf(reset)).toBe('UNAUTHORIZED');
    // As if the reset had been faster.
    const fresh = `${robot.id}.${'A'.repeat(43)}`;
    await service.db.query(
      'UPDATE bot_tokens SET id = id + 1, token_hash = sha256($2) WHERE application_id = $1',
      [robot.id, Buffer.from(fresh)],
    );
    expect(await bot(fresh)).toBeUndefined();
    await restore(user_id);
    expect(await bot(fresh)).toBe(robot.id);
  });

  test('ends its credentials in the event log, those of its bots too, once', async () => {
    const { user_id, caller } = await person(service.auth);
    const robot = await botOf(user_id);
    const { identity } = await service.auth.identify({ kind: BOT, token: robot.token }, IN_TIME);
    const seen = await eventsOf(service, elsewhere.auth, () => suspend(user_id));
    const text = (events: readonly SeenEvent[]) => events.map((event) => event.join(' ')).toSorted();
    expect(text(seen)).toEqual(
      text([
        credentialEnded(user_id, caller.credential_id),
        credentialEnded(robot.id, identity?.credential_id ?? ''),
      ]),
    );
    expect(await eventsOf(service, elsewhere.auth, () => suspend(user_id))).toEqual([]);
    expect(await eventsOf(service, elsewhere.auth, () => restore(user_id))).toEqual([]);
  });

  test('does not affect other accounts and their bots', async () => {
    const [one, two] = [await person(service.auth), await person(service.auth)];
    const robot = await botOf(two.user_id);
    await suspend(one.user_id);
    expect(await whoIs(elsewhere.auth, SESSION, two.token)).toBe(two.user_id);
    expect(await bot(robot.token)).toBe(robot.id);
  });
});

describe('a suspension', () => {
  test('keeps operator, reason and time: only the same call can be repeated', async () => {
    const { user_id } = await person(service.auth);
    const first = await suspend(user_id);
    const fault = await faultOf(suspend(user_id, { operator: 'bob', reason: 'spam' }));
    expect(fault.reason).toBe('ALREADY_SUSPENDED');
    expect(fault.message).toBe('The account is suspended already, by ada: floods webhooks');
    const again = await suspend(user_id);
    expect(again).toEqual({ before: first.after, after: first.after, ended_sessions: 0, pending: [] });
    expect((await auditLogOf(service, user_id)).filter((kind) => kind === 'account.suspended')).toHaveLength(
      1,
    );
  });

  test('is sent again to services that have not confirmed it, whatever the reason; the first one stays', async () => {
    const { user_id } = await person(service.auth);
    oauth2.answer = () => Promise.reject(unavailable());
    const first = await suspend(user_id);
    expect(first.pending).toEqual(['oauth2']);
    oauth2.answer = async () => undefined;
    const again = await suspend(user_id, { operator: 'bob', reason: 'spam' });
    expect(again).toEqual({ before: first.after, after: first.after, ended_sessions: 0, pending: [] });
    expect(oauth2.isSuspended(user_id)).toBe(true);
  });

  test('of an owner is named at the bots, with the name of the owner', async () => {
    const { user_id } = await person(service.auth);
    const bot = await botOf(user_id);
    const { after } = await suspend(user_id);
    const { account } = await service.admin.getAccount({ account_id: bot.id }, IN_TIME);
    expect(account).toMatchObject({
      suspension: null,
      owner_id: user_id,
      owner_username: after?.username,
      owner_suspension: after?.suspension,
    });
    const found = await service.admin.findAccounts({ query: '', ids: [bot.id, user_id, '1'] }, IN_TIME);
    const suspensions = new Map(found.accounts.map((one) => [one.id, one.owner_suspension]));
    expect(suspensions).toEqual(
      new Map([
        [bot.id, after?.suspension],
        [user_id, null],
      ]),
    );
    await restore(user_id);
    const restored = await service.admin.getAccount({ account_id: bot.id }, IN_TIME);
    expect(restored.account?.owner_suspension).toBeNull();
  });

  test('ends by a restoration: bots work again, sessions do not', async () => {
    const someone = await person(service.auth);
    const { user_id, token } = someone;
    const robot = await botOf(user_id);
    const { identity } = await service.auth.identify({ kind: BOT, token: robot.token }, IN_TIME);
    const { after: suspended } = await suspend(user_id);
    const restored = await restore(user_id, { operator: 'bob', reason: 'mistake' });
    expect(restored).toMatchObject({ before: suspended, pending: [] });
    expect(restored.after?.suspension ?? null).toBeNull();
    expect(await bot(robot.token)).toBe(robot.id);
    const { identity: renewed } = await elsewhere.auth.identify({ kind: BOT, token: robot.token }, IN_TIME);
    expect(renewed?.credential_id).not.toBe(identity?.credential_id); // the Gateway refuses ended ones
    expect(await whoIs(elsewhere.auth, SESSION, token)).toBeUndefined();
    expect(await login(someone)).toMatchObject({ user_id });
    for (const reader of [oauth2, webhookDelivery]) expect(reader.isSuspended(user_id)).toBe(false);
    expect(webhookDelivery.isSuspended(robot.id)).toBe(false);
    expect(oauth2.calls.some(({ account_id }) => account_id === robot.id)).toBe(false);
  });

  test('of a bot refuses its token, and outlasts a suspension of its owner', async () => {
    const { user_id } = await person(service.auth);
    const [one, two] = [await botOf(user_id), await botOf(user_id)];
    await suspend(one.id);
    expect(await bot(one.token)).toBeUndefined();
    expect(await bot(two.token)).toBe(two.id);
    await suspend(user_id);
    await restore(user_id);
    expect(await bot(one.token)).toBeUndefined();
    expect(await bot(two.token)).toBe(two.id);
    expect(webhookDelivery.isSuspended(one.id)).toBe(true);
    expect(webhookDelivery.isSuspended(two.id)).toBe(false);
    await restore(one.id);
    expect(await bot(one.token)).toBe(one.id);
    expect(webhookDelivery.isSuspended(one.id)).toBe(false);
  });

  test('and its end are in the audit log, with operator and reason', async () => {
    const { user_id } = await person(service.auth);
    await suspend(user_id);
    await restore(user_id, { operator: 'bob', reason: 'mistake' });
    await restore(user_id);
    const { events } = await service.auth.listSecurityEvents(
      { account_id: user_id, kind: 'account' },
      IN_TIME,
    );
    expect(events.map(({ kind, detail, ip }) => [kind, JSON.parse(detail), ip ?? null])).toEqual([
      ['account.restored', { operator: 'bob', reason: 'mistake' }, null],
      ['account.suspended', { ...WHY, sessions: 1 }, null],
      ['account.registered', expect.anything(), null],
    ]);
  });

  test('names the services that did not answer; they learn of it later', async () => {
    const { user_id } = await person(service.auth);
    const hung: (() => void)[] = [];
    oauth2.answer = () => new Promise<void>((resolve) => hung.push(resolve));
    const started = performance.now();
    expect((await suspend(user_id)).pending).toEqual(['oauth2']);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(webhookDelivery.isSuspended(user_id)).toBe(true);
    expect(await unconfirmed()).toEqual(['oauth2']);

    oauth2.answer = () => Promise.reject(unavailable());
    expect((await restore(user_id)).pending).toEqual(['oauth2']);
    oauth2.answer = async () => undefined;
    await expect.poll(unconfirmed, { timeout: 25_000 }).toEqual([]);
    expect(oauth2.isSuspended(user_id)).toBe(false);
    for (const answer of hung) answer(); // the older change arrives late, and loses
    await expect.poll(() => oauth2.calls.at(-1)?.suspended).toBe(true);
    expect(oauth2.isSuspended(user_id)).toBe(false);
  });
});

test('a service that takes two seconds to learn of a suspension confirms it in the background', async () => {
  const { user_id } = await person(service.auth);
  oauth2.answer = () => setTimeout(2_000);
  expect((await suspend(user_id)).pending).toEqual(['oauth2']);
  await expect.poll(unconfirmed, { timeout: 25_000 }).toEqual([]);
});

describe('all sessions of an account', () => {
  test('end, and the account can log in again', async () => {
    const someone = await person(service.auth);
    const { user_id, token } = someone;
    const second = tokenOf(await login(someone));
    const end = () => service.admin.endAccountSessions({ account_id: user_id, ...WHY }, IN_TIME);
    expect(await end()).toEqual({ ended_sessions: 2 });
    for (const dead of [token, second]) expect(await whoIs(elsewhere.auth, SESSION, dead)).toBeUndefined();
    expect(await end()).toEqual({ ended_sessions: 0 });
    expect(await sessionCaller(elsewhere.auth, tokenOf(await login(someone)))).toBeDefined();
    expect((await auditLogOf(service, user_id)).filter((kind) => kind === 'sessions.ended')).toHaveLength(2);
  });
});

describe('an action is refused', () => {
  const actions = ['suspendAccount', 'restoreAccount', 'endAccountSessions', 'resetFactors'] as const;
  test.each(actions)('by %s for an account that is none', async (action) => {
    for (const account_id of ['1', '', 'x', "'", '99999999999999999999']) {
      expect(await reasonOf(service.admin[action]({ account_id, ...WHY }, IN_TIME))).toBe('UNKNOWN_USER');
    }
  });

  test.each(actions)('by %s without an operator or a reason, or with too long ones', async (action) => {
    const { user_id, token } = await person(service.auth);
    const violations = (operator: string, reason: string) =>
      violationsOf(service.admin[action]({ account_id: user_id, operator, reason }, IN_TIME));
    const [long, name] = ['reason STRING_LENGTH_INVALID', 'operator STRING_LENGTH_INVALID'];
    expect(await violations('', ' ')).toEqual([name, long]);
    expect(await violations('a'.repeat(65), 'r'.repeat(513))).toEqual([name, long]);
    expect(await violations('a\0', 'ok')).toEqual(['operator INVALID_FORMAT']);
    expect(await whoIs(elsewhere.auth, SESSION, token)).toBe(user_id);
  });
});
