import { cpuStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { createLogger, type Logger, silentLogger } from '@gatehouse/kit/log';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LastUsed } from '../../src/sessions/last-used.ts';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth, whoIs } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_last_used', { background_every_ms: 20 });
});
afterAll(() => service.close());

const opened: LastUsed[] = [];
afterEach(async () => {
  for (const used of opened.splice(0)) await used.close();
});

/** The writer of another replica, beside the service's own. */
function open(options: { every_ms?: number; log?: Logger } = {}): LastUsed {
  const used = new LastUsed({ db: service.db, log: silentLogger, ...options });
  opened.push(used);
  return used;
}

/** A session that was never used, not even in Identify. */
async function newSession(): Promise<{ id: string; token: string }> {
  const { token, user_id } = await service.auth.register(newcomer(), IN_TIME);
  const { rows } = await service.db.query<{ id: string }>('SELECT id FROM sessions WHERE account_id = $1', [
    user_id,
  ]);
  return { id: rows[0]?.id ?? '', token };
}

/** Seconds since a session was last used. */
async function age(id: string): Promise<number | null> {
  const { rows } = await service.db.query<{ age: number | null }>(
    'SELECT extract(epoch FROM now() - last_used_at)::float8 AS age FROM sessions WHERE id = $1',
    [id],
  );
  return rows[0]?.age ?? null;
}
const setAge = (id: string, interval: string) =>
  service.db.query('UPDATE sessions SET last_used_at = now() - $2::interval WHERE id = $1', [id, interval]);

test('Identify updates the last-used time in the background', async () => {
  const { id, token } = await newSession();
  expect(await age(id)).toBeNull();
  await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, token);
  await expect.poll(() => age(id)).toBeLessThan(5);
});

test('a wrong kind or an unknown token updates nothing', async () => {
  const { id, token } = await newSession();
  await whoIs(service.auth, CallerKind.CALLER_KIND_BOT, token);
  await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, `${token.slice(0, -1)}-`);
  const later = await newSession();
  await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, later.token);
  await expect.poll(() => age(later.id)).not.toBeNull();
  expect(await age(id)).toBeNull();
});

test('a session is written at most once a minute, whichever replica notes it', async () => {
  const [recent, old] = [await newSession(), await newSession()];
  await setAge(recent.id, '50 seconds');
  await setAge(old.id, '70 seconds');
  const replicas = [open(), open(), open()];
  for (const used of replicas) for (const { id } of [recent, old]) used.note(id);
  await Promise.all(replicas.map((used) => used.close()));
  expect(await age(recent.id)).toBeGreaterThan(49);
  expect(await age(old.id)).toBeLessThan(30);
});

test('noted times are written at shutdown', async () => {
  const sessions = [await newSession(), await newSession()];
  const used = open({ every_ms: 3_600_000 });
  for (const { id } of sessions) used.note(id);
  await used.close();
  for (const { id } of sessions) expect(await age(id)).toBeLessThan(30);
});

test('thousands are written in several statements', async () => {
  const { user_id } = await registered(service.auth);
  const { rows } = await service.db.query<{ id: string }>(
    `INSERT INTO sessions (id, account_id, token_hash)
     SELECT n, $1, sha256(convert_to('thousands ' || n, 'UTF8')) FROM generate_series(1, 3000) AS n RETURNING id`,
    [user_id],
  );
  const used = open({ every_ms: 3_600_000 });
  for (const { id } of rows) used.note(id);
  used.note('9223372036854775807'); // one that has ended
  await used.close();
  const written = await service.db.query(
    'SELECT FROM sessions WHERE account_id = $1 AND id <= 3000 AND last_used_at IS NOT NULL',
    [user_id],
  );
  expect(written.rowCount).toBe(3000);
});

test('it skips locked sessions, and ending sessions does not deadlock with it', async () => {
  const [held, free] = [await newSession(), await newSession()];
  const tx = await service.db.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [held.id]);
    const used = open({ every_ms: 3_600_000 });
    for (const { id } of [held, free]) used.note(id);
    await used.close();
    const { rows } = await tx.query('SELECT id FROM sessions WHERE id = ANY ($1) AND last_used_at IS NULL', [
      [held.id, free.id],
    ]);
    expect(rows).toEqual([{ id: held.id }]);
  } finally {
    await tx.query('ROLLBACK');
    tx.release();
  }
});

test('a failing database is logged and does not affect calls; sessions in use are noted again', async () => {
  const { id } = await newSession();
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const used = open({ every_ms: 10, log: createLogger({ name: 'test', destination }) });
  await service.db.query('ALTER TABLE sessions RENAME TO away');
  try {
    used.note(id);
    await expect.poll(() => lines.join('')).toContain('writing last-used times failed');
  } finally {
    await service.db.query('ALTER TABLE away RENAME TO sessions');
  }
  expect(await age(id)).toBeNull();
  used.note(id);
  await expect.poll(() => age(id)).not.toBeNull();
});

test('noting takes almost no time', async () => {
  const used = open({ every_ms: 3_600_000 });
  const ids = Array.from({ length: 200_000 }, (_, index) => String(2n ** 62n + BigInt(index)));
  for (const id of ids) used.note(id);
  const took_ms = cpuStopwatch();
  for (let round = 0; round < 5; round++) for (const id of ids) used.note(id);
  expect(took_ms() / (5 * ids.length)).toBeLessThan(0.002); // ms
});
