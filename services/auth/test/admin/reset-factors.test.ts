import { violationsOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, type Replica, startAuth, tokenOf, whoIs } from '../auth.ts';
import { auditLogOf, insertUnusablePasskey, personWithTotp, ticketFor, together } from '../factors.ts';
import { mailsOf, mailTo } from '../mails.ts';

const WHY = { operator: 'ada', reason: 'lost the phone' };
const SUBJECT = 'All second factors were removed from your account';

let service: AuthUnderTest;
let elsewhere: Replica;
beforeAll(async () => {
  service = await startAuth('auth_reset_factors', { config: { login_location_check: false } });
  elsewhere = await service.adminReplica();
});
afterAll(() => service.close());

const reset = (account_id: string, { admin }: Replica = service) =>
  admin.resetFactors({ account_id, ...WHY }, IN_TIME);
const count = async (table: string, account_id: string) =>
  (await service.db.query(`SELECT FROM ${table} WHERE account_id = $1`, [account_id])).rowCount;

/** Someone with TOTP, backup codes, a passkey, a ticket and a session in sudo mode. */
async function withEverything() {
  const someone = await personWithTotp(service.auth);
  const { caller, codes, user_id } = someone;
  await insertUnusablePasskey(service, user_id);
  await service.auth.createSudoGrant({ mfa_code: codes[0] }, { ...IN_TIME, caller });
  return { ...someone, ticket: await ticketFor(service.auth, someone) };
}

test('all factors, codes, tickets and grants end; the session stays, and the password logs in', async () => {
  const { user_id, email, password, token, caller, ticket, codes } = await withEverything();
  expect(await reset(user_id)).toEqual({
    before: { totp: true, backup_codes: codes.length - 1, passkeys: ['Key'] },
  });
  for (const table of ['totp_factors', 'backup_codes', 'webauthn_credentials', 'mfa_tickets', 'held_logins'])
    expect(await count(table, user_id), table).toBe(0);
  expect(await violationsOf(elsewhere.auth.loginMfaTotp({ ticket, code: codes[1] ?? '' }, IN_TIME))).toEqual([
    'ticket INVALID_OR_EXPIRED_TICKET',
  ]);
  expect(await whoIs(elsewhere.auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
  const { rowCount } = await service.db.query('SELECT FROM sudo_grants WHERE session_id = $1', [
    caller.credential_id,
  ]);
  expect(rowCount).toBe(0);
  expect(tokenOf(await elsewhere.auth.login({ email, password }, IN_TIME))).toMatch(/^gth_/);
});

test('the owner gets one mail, without operator, reason or address', async () => {
  const { user_id, email, user } = await withEverything();
  const before = (await mailsOf(service.mail_dir, email)).length;
  await reset(user_id);
  await reset(user_id); // there is nothing left to remove
  const subjects = async () => (await mailsOf(service.mail_dir, email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain(SUBJECT);
  const mail = await mailTo(service.mail_dir, email, (await mailsOf(service.mail_dir, email)).length);
  expect((await subjects()).filter((subject) => subject === SUBJECT)).toHaveLength(1);
  expect((await subjects()).length).toBeGreaterThan(before);
  expect(mail.text).toContain(`Hello ${user?.username},`);
  expect(mail.text).toContain('Our support removed all second factors and backup codes from your account');
  expect(mail.raw).not.toMatch(/ada|lost the phone|Address:|Device:/);
});

test.each([
  ['de', 'Alle zweiten Faktoren wurden aus Ihrem Konto entfernt', 'Unser Support hat alle zweiten Faktoren'],
  ['ar', '', 'أزال فريق الدعم لدينا كل العوامل الثانية'],
])('the mail is in the language of the account: %s', async (locale, subject, text) => {
  const { user_id, email } = await withEverything();
  await service.db.query('UPDATE accounts SET locale = $2 WHERE id = $1', [user_id, locale]);
  await reset(user_id);
  const texts = async () => (await mailsOf(service.mail_dir, email)).map((mail) => mail.subject + mail.text);
  await expect.poll(async () => (await texts()).join('\n')).toContain(text);
  expect((await texts()).join('\n')).toContain(subject);
});

test('the audit log has operator and reason, and the number of factors', async () => {
  const { user_id } = await withEverything();
  await reset(user_id);
  const { events } = await service.auth.listSecurityEvents(
    { account_id: user_id, kind: 'mfa.reset' },
    IN_TIME,
  );
  expect(events.map(({ detail }) => JSON.parse(detail))).toEqual([{ ...WHY, totp: true, passkeys: 1 }]);
});

test('the data export names neither operator nor reason', async () => {
  const { user_id } = await withEverything();
  await reset(user_id);
  const { EXPORTS } = await import('../../src/store/data-export/account-export.ts');
  const { readExportPage } = await import('@gatehouse/kit/db/export-page');
  const { rows } = await readExportPage(service.db, EXPORTS, {
    account_id: user_id,
    file: 'security_events',
  });
  expect(rows).toContain('mfa.reset');
  expect(rows).not.toMatch(/ada|lost the phone/);
});

test('of 64 resets at two replicas, one finds the factors, and one mail is sent', async () => {
  const { user_id, email } = await withEverything();
  const replicas = [service, elsewhere];
  const { answers, refusals } = await together(
    replicas.map(({ auth }) => auth),
    (auth) => reset(user_id, auth === service.auth ? service : elsewhere),
  );
  expect(refusals).toEqual({});
  expect(answers.filter(({ before }) => before?.totp)).toHaveLength(1);
  const subjects = async () =>
    (await mailsOf(service.mail_dir, email)).filter(({ subject }) => subject === SUBJECT).length;
  await expect.poll(subjects).toBe(1);
  const waiting = async () => (await service.db.query('SELECT FROM mails')).rowCount;
  await expect.poll(waiting).toBe(0);
  expect(await subjects()).toBe(1);
  expect((await auditLogOf(service, user_id)).filter((kind) => kind === 'mfa.reset')).toHaveLength(64);
});
