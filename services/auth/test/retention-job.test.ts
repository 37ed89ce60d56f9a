import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expiredRows } from '../src/store/expired-rows.ts';
import { type AuthUnderTest, registered, startAuth } from './auth.ts';

const DAYS = { security_events_days: 30, session_idle_days: 60, session_max_days: 90 };

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_retention', {
    background_every_ms: 20,
    log: silentLogger,
    config: DAYS,
  });
  await service.replica();
});
afterAll(() => service.close());

const EXPIRED = expiredRows(DAYS);

/** Per table: inserts a row that expired $2 ago, and a live one. */
const ROWS: Readonly<Record<string, string>> = {
  mfa_tickets: `INSERT INTO mfa_tickets (ticket_hash, account_id, expires_at)
    VALUES (sha256('old'), $1, now() - $2::interval), (sha256('new'), $1, now() + interval '1 hour')`,
  mfa_failures: `INSERT INTO mfa_failures (account_id, failed_at, expires_at)
    SELECT id, '{}', CASE WHEN id = $1 THEN now() - $2::interval ELSE now() + interval '1 hour' END FROM accounts`,
  sudo_grants: `INSERT INTO sudo_grants (session_id, expires_at)
    SELECT id, CASE WHEN row_number() OVER (ORDER BY id) = 1 THEN now() - $2::interval
                    ELSE now() + interval '1 hour' END
      FROM sessions WHERE account_id = $1`,
  browser_sessions: `INSERT INTO browser_sessions (secret_hash, session_id, sealed_token, stay_signed_in, expires_at)
    SELECT sha256(id::text::bytea), id, '', true, CASE WHEN row_number() OVER (ORDER BY id) = 1 THEN now() - $2::interval
                                                       ELSE now() + interval '1 hour' END
      FROM sessions WHERE account_id = $1`,
  webauthn_challenges: `INSERT INTO webauthn_challenges (challenge_hash, purpose, account_id, expires_at)
    VALUES (sha256('old'), 'mfa', $1, now() - $2::interval), (sha256('new'), 'mfa', $1, now() + interval '1 hour')`,
  totp_used_steps: `INSERT INTO totp_used_steps (account_id, secret_mac, step, expires_at)
    VALUES ($1, sha256('old'), 1, now() - $2::interval),
           ($1, sha256('new'), 2, now() + interval '1 hour')`,
  held_logins: `INSERT INTO held_logins (ticket_hash, token_hashes, account_id, network, ip, user_agent, expires_at)
    VALUES (sha256('old'), '{}', $1, 'n', 'i', 'u', now() - $2::interval),
           (sha256('new'), '{}', $1, 'n', 'i', 'u', now() + interval '1 hour')`,
  mail_tokens: `INSERT INTO mail_tokens (token_hash, purpose, account_id, email_key, expires_at)
    VALUES (sha256('old'), 'verify_email', $1, 'e', now() - $2::interval),
           (sha256('new'), 'verify_email', $1, 'e', now() + interval '1 hour')`,
  verification_mails: `INSERT INTO verification_mails (address_hash, mailed_at, expires_at)
    VALUES (sha256($1::bigint::text::bytea), '{}', now() - $2::interval), (sha256('new'), '{}', now() + interval '1 hour')`,
  // Not due, so that the mail queue does not delete them.
  mails: `INSERT INTO mails (id, letter, next_attempt_at, expires_at)
    VALUES ($1, '', now() + interval '1 day', now() - interval '1 hour' - $2::interval),
           ($1::bigint + 1, '', now() + interval '1 day', now() - interval '30 min')`,
  // Too old, unused for too long, and two live ones.
  sessions: `INSERT INTO sessions (id, account_id, token_hash, created_at, last_used_at)
    VALUES (1, $1, sha256('old'), now() - interval '90 days' - $2::interval, now()),
           (2, $1, sha256('idle'), now() - interval '80 days', now() - interval '60 days' - $2::interval),
           (3, $1, sha256('never'), now() - interval '60 days' - $2::interval, NULL),
           (4, $1, sha256('used'), now() - interval '89 days', now() - interval '59 days'),
           (5, $1, sha256('new'), now() - interval '59 days', NULL)`,
  data_exports: `INSERT INTO data_exports (account_id, status, ip, user_agent, expires_at)
    SELECT id, 'ready', 'i', 'u', CASE WHEN id = $1 THEN now() - $2::interval ELSE now() + interval '1 hour' END
      FROM accounts`,
  security_events: `INSERT INTO security_events (id, at, kind, account_id)
    VALUES (1, now() - interval '30 days' - $2::interval, 'login', $1),
           (2, now() - interval '29 days 23 hours', 'login', $1)`,
};

test('the retention job covers every table with an expiry', async () => {
  const { rows } = await service.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'expires_at'`,
  );
  const cleaned = EXPIRED.map(({ table }) => table);
  expect(cleaned).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
  expect(Object.keys(ROWS).toSorted()).toEqual([...new Set(cleaned)].toSorted());
});

test('the retention job deletes expired rows only', async () => {
  await registered(service.auth);
  const person = await registered(service.auth);
  await service.auth.login(
    { email: person.user?.email ?? '', password: 'correct horse battery' },
    { timeoutMs: 20_000 },
  );
  for (const insert of Object.values(ROWS)) await service.db.query(insert, [person.user_id, '1 second']);
  for (const { table, where } of EXPIRED) {
    const old = async () => (await service.db.query(`SELECT FROM ${table} WHERE ${where}`)).rowCount;
    await expect.poll(old, { message: table }).toBe(0);
    const { rowCount } = await service.db.query(`SELECT FROM ${table} WHERE NOT (${where})`);
    expect(rowCount, table).toBeGreaterThan(0);
  }
});

test('the retention job finds rows by index or in pages', async () => {
  const tx = await service.db.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('SET LOCAL enable_seqscan = off');
    for (const { table, where, paged_by } of EXPIRED) {
      const page = paged_by === undefined ? '' : `${paged_by} > 1 AND ${paged_by} < 5000 AND `;
      const { rows } = await tx.query(
        `EXPLAIN SELECT FROM ${table} WHERE ${page}${where} LIMIT 500 FOR UPDATE SKIP LOCKED`,
      );
      expect(JSON.stringify(rows), table).toMatch(/Index/);
    }
  } finally {
    await tx.query('ROLLBACK');
    tx.release();
  }
});
