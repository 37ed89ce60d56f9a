import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillableReplica, type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { type ClientAndPerson, exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

const CALLERS = 64;
/** Rounds for each combination of the following: sixty in all. */
const ROUNDS = 5;

const KINDS = ['a code', 'a refresh token'] as const;
const TARGETS = ['at both replicas', 'at the killed one alone'] as const;
const MOMENTS = ['at once', 'while statements wait for the row', 'at the first answer'] as const;

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
/** Starts the next replica while the current one is used. */
let next: Promise<KillableReplica>;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_killed_replica');
  client = await newClient(fixture);
  next = fixture.killableReplica();
});
afterAll(async () => {
  await next;
  await fixture.close();
});

const combinations = KINDS.flatMap((kind) =>
  TARGETS.flatMap((target) => MOMENTS.map((moment) => [kind, target, moment] as const)),
);

it.each(combinations)(
  '%s that 64 present %s, of which one is killed %s, becomes one pair or stays unchanged',
  async (kind, target, moment) => {
    for (let round = 0; round < ROUNDS; round++) {
      const killed = await next;
      next = fixture.killableReplica();
      const present = await presenter(kind);
      const before = await rows();
      const replicas = target === 'at both replicas' ? [fixture.oauth2, killed.oauth2] : [killed.oauth2];
      const outcomes = await presentThroughKill(killed, replicas, present, moment);
      await expect.poll(unfinished).toBe(0);

      const after = await rows();
      const isSpent = after.access > before.access;
      const isSpentCode = isSpent && kind === 'a code';
      expect(after).toEqual({
        codes: before.codes - Number(isSpentCode),
        access: before.access + Number(isSpent),
        refresh: before.refresh + Number(isSpentCode),
      });
      const succeeded = outcomes.filter((outcome) => outcome === 'ok').length;
      expect(succeeded).toBeLessThanOrEqual(Number(isSpent));
      const others = outcomes.filter((outcome) => outcome !== 'ok');
      for (const other of others) expect(['INVALID_GRANT', 'SERVICE_UNAVAILABLE']).toContain(other);
      if (target === 'at both replicas') expect(isSpent).toBe(true);
      // The database still executes the statements of the dead process.
      else if (moment === 'while statements wait for the row')
        expect([isSpent, succeeded]).toEqual([true, 0]);

      // Calls without a response are repeated, and then have one.
      expect(await outcomeOf(present((await next).oauth2))).toBe(isSpent ? 'INVALID_GRANT' : 'ok');
      expect((await rows()).access).toBe(before.access + 1);
      expect(await outcomeOf(present(fixture.oauth2))).toBe('INVALID_GRANT');
    }
  },
);

type Present = (oauth2: Oauth2) => Promise<unknown>;

async function presenter(kind: (typeof KINDS)[number]): Promise<Present> {
  const code = await newCode(fixture.oauth2, client);
  if (kind === 'a code') return (oauth2) => exchange(oauth2, client, code);
  const { refresh_token } = await exchange(fixture.oauth2, client, code);
  return (oauth2) => refresh(oauth2, client, refresh_token);
}

async function presentThroughKill(
  killed: KillableReplica,
  replicas: readonly Oauth2[],
  present: Present,
  moment: (typeof MOMENTS)[number],
): Promise<string[]> {
  const holder = await fixture.db.connect();
  try {
    await holder.query('BEGIN');
    if (moment === 'while statements wait for the row') {
      await holder.query('SELECT FROM authorization_codes FOR UPDATE');
      await holder.query('SELECT FROM refresh_tokens FOR UPDATE');
    }
    const calls = Array.from({ length: CALLERS }, (_, n) =>
      outcomeOf(present(replicas[n % replicas.length] ?? fixture.oauth2)),
    );
    if (moment === 'while statements wait for the row')
      await expect.poll(waiting).toBeGreaterThanOrEqual(replicas.length);
    if (moment === 'at the first answer') await Promise.race(calls);
    await killed.kill();
    await holder.query('COMMIT');
    return await Promise.all(calls);
  } finally {
    holder.release();
  }
}

async function rows(): Promise<{ codes: number; access: number; refresh: number }> {
  const { rows: found } = await fixture.db.query<{ codes: number; access: number; refresh: number }>(
    `SELECT (SELECT count(*)::integer FROM authorization_codes) AS codes,
            (SELECT count(*)::integer FROM access_tokens) AS access,
            (SELECT count(*)::integer FROM refresh_tokens) AS refresh`,
  );
  const [counts] = found;
  if (counts === undefined) throw new Error('the query returned no row');
  return counts;
}

/** Statements that wait for a lock. */
const waiting = () => statements("wait_event_type = 'Lock'");
/** Running statements of the service, including those of a dead process. */
const unfinished = () => statements("application_name = 'oauth2' AND state <> 'idle'");

async function statements(where: string): Promise<number> {
  const { rowCount } = await fixture.db.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${where}`,
  );
  return rowCount ?? 0;
}
