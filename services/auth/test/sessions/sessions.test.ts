import { hash } from 'node:crypto';
import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Auth,
  type AuthUnderTest,
  IN_TIME,
  registered,
  sessionCaller,
  startAuth,
  tokenOf,
  whoIs,
} from '../auth.ts';

const SESSION = CallerKind.CALLER_KIND_SESSION;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/17.5 Mobile/15E148 Safari/604.1';

let service: AuthUnderTest;
let elsewhere: Auth;
beforeAll(async () => {
  service = await startAuth('auth_sessions', { config: { login_location_check: false } });
  elsewhere = await service.replica();
});
afterAll(() => service.close());

interface Device {
  readonly token: string;
  readonly caller: Caller;
}

/** An account with several sessions. */
async function withDevices(count: number): Promise<{ user_id: string; devices: Device[] }> {
  const person = await registered(service.auth);
  const devices: Device[] = [person];
  while (devices.length < count) devices.push(await logIn(person.user?.email ?? ''));
  return { user_id: person.user_id, devices };
}

async function logIn(email: string, client: Partial<Caller> = {}): Promise<Device> {
  const caller = { ...anonymous, ...client };
  const answer = await service.auth.login(
    { email, password: 'correct horse battery' },
    { ...IN_TIME, caller },
  );
  const token = tokenOf(answer);
  return { token, caller: await sessionCaller(service.auth, token) };
}

const idHash = ({ caller }: Device) => hash('sha256', `session:${caller.credential_id}`, 'base64url');
const list = async ({ caller }: Device, at = service.auth) =>
  (await at.listSessions({}, { ...IN_TIME, caller })).sessions;
const end = (
  { caller }: Device,
  which: { session_id_hashes?: string[]; others?: boolean; all?: boolean },
  at = service.auth,
) => at.endSessions({ session_id_hashes: [], ...which }, { ...IN_TIME, caller });

/** The indexes of the live devices, as listed at the other replica. */
async function live(devices: readonly Device[]): Promise<number[]> {
  const who = await Promise.all(devices.map(({ token }) => whoIs(elsewhere, SESSION, token)));
  return [...who.keys()].filter((place) => who[place] !== undefined);
}

async function endings(user_id: string): Promise<unknown[]> {
  const { rows } = await service.db.query<{ kind: string; detail: unknown }>(
    `SELECT kind, detail FROM security_events
      WHERE account_id = $1 AND kind IN ('logout', 'sessions.ended') ORDER BY id`,
    [user_id],
  );
  return rows.map(({ kind, detail }) => [kind, detail]);
}

function device(devices: readonly Device[], place: number): Device {
  const found = devices[place];
  if (found === undefined) throw new Error(`there is no device ${place}`);
  return found;
}

describe('the list', () => {
  test('has hash, client, masked address and last use of each session, newest first', async () => {
    const person = await registered(service.auth);
    const email = person.user?.email ?? '';
    const phone = await logIn(email, { ip: '203.0.113.77', user_agent: IPHONE });
    const desk = await logIn(email, { ip: '2001:db8:1:2:3:4:5:6', user_agent: FIREFOX });
    const at = '2026-01-02T03:04:05.678Z';
    await service.db.query('UPDATE sessions SET last_used_at = $2 WHERE id = $1', [
      phone.caller.credential_id,
      at,
    ]);

    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await list(phone, elsewhere)).toEqual([
      {
        id_hash: idHash(desk),
        client_info: { os: 'Linux', browser: 'Firefox' },
        masked_ip: '2001:db8:*',
        approx_last_used_at: timestamp,
        current: false,
      },
      {
        id_hash: idHash(phone),
        client_info: { os: 'iOS', browser: 'Safari' },
        masked_ip: '203.0.*.*',
        approx_last_used_at: at,
        current: true,
      },
      {
        id_hash: idHash(person),
        client_info: { os: null, browser: null },
        masked_ip: null,
        approx_last_used_at: timestamp,
        current: false,
      },
    ]);
  });

  test('has no session of another account, no ID and no full address', async () => {
    const stranger = await registered(service.auth);
    const person = await registered(service.auth);
    const other = await logIn(person.user?.email ?? '', { ip: '198.51.100.23' });
    const sessions = await list(person);
    expect(sessions.map(({ id_hash }) => id_hash)).toEqual([idHash(other), idHash(person)]);
    const text = JSON.stringify(sessions);
    for (const { caller, token } of [stranger, person, other]) {
      expect(text).not.toContain(caller.credential_id);
      expect(text).not.toContain(token);
    }
    expect(text).not.toContain('100.23');
  });

  test('has at most the newest thousand', async () => {
    const person = await registered(service.auth);
    await service.db.query(
      `INSERT INTO sessions (id, account_id, token_hash, created_at, user_agent)
       SELECT n, $1, sha256(convert_to('many ' || n, 'UTF8')), now() - n * interval '1 s', 'client/' || n
         FROM generate_series(1, 1500) AS n`,
      [person.user_id],
    );
    const sessions = await list(person);
    expect(sessions).toHaveLength(1000);
    expect(sessions[0]?.current).toBe(true);
    const hashes = Array.from({ length: 999 }, (_, index) =>
      hash('sha256', `session:${index + 1}`, 'base64url'),
    );
    expect(sessions.slice(1).map(({ id_hash }) => id_hash)).toEqual(hashes);
  });
});

describe('ending', () => {
  test('named sessions ends those at every replica at once, and ignores unknown ones', async () => {
    const { devices, user_id } = await withDevices(4);
    const stranger = await registered(service.auth);
    const session_id_hashes = [
      idHash(device(devices, 1)),
      idHash(device(devices, 1)),
      idHash(device(devices, 3)),
      idHash(stranger),
      'A'.repeat(43),
      'no hash',
      '\0',
      '\ud800',
      '',
      `${idHash(device(devices, 2))}=`,
      device(devices, 2).caller.credential_id,
    ];
    await end(device(devices, 0), { session_id_hashes });
    expect(await live(devices)).toEqual([0, 2]);
    expect(await whoIs(elsewhere, SESSION, stranger.token)).toBe(stranger.user_id);
    expect(await endings(user_id)).toEqual([['sessions.ended', { which: 'named', count: 2 }]]);
  });

  test("all others keeps the caller's", async () => {
    const { devices, user_id } = await withDevices(3);
    await end(device(devices, 1), { others: true, all: false });
    expect(await live(devices)).toEqual([1]);
    expect(await list(device(devices, 1))).toHaveLength(1);
    expect(await endings(user_id)).toEqual([['sessions.ended', { which: 'others', count: 2 }]]);
  });

  test("all ends the caller's too, and no other account's", async () => {
    const stranger = await registered(service.auth);
    const { devices, user_id } = await withDevices(3);
    await end(device(devices, 1), { all: true });
    expect(await live([...devices, stranger])).toEqual([3]);
    expect(await endings(user_id)).toEqual([['sessions.ended', { which: 'all', count: 3 }]]);
  });

  test('no session adds no event', async () => {
    const { devices, user_id } = await withDevices(1);
    await end(device(devices, 0), { others: true });
    await end(device(devices, 0), { session_id_hashes: ['A'.repeat(43)] });
    expect(await live(devices)).toEqual([0]);
    expect(await endings(user_id)).toEqual([]);
  });

  test('a session ends its sudo grant', async () => {
    const { devices } = await withDevices(2);
    const ids = devices.map(({ caller }) => caller.credential_id);
    await service.db.query(
      `INSERT INTO sudo_grants (session_id, expires_at) SELECT unnest($1::bigint[]), now() + interval '5 min'`,
      [ids],
    );
    await end(device(devices, 0), { others: true });
    const { rows } = await service.db.query(
      'SELECT session_id FROM sudo_grants WHERE session_id = ANY ($1::bigint[])',
      [ids],
    );
    expect(rows).toEqual([{ session_id: ids[0] }]);
  });

  test.each([
    ['nothing', {}],
    ['false', { others: false, all: false }],
    ['two', { others: true, all: true }],
    ['one and a list', { others: true, session_id_hashes: ['A'.repeat(43)] }],
  ])('takes exactly one choice, not %s', async (_what, which) => {
    const { devices } = await withDevices(2);
    expect(await violationsOf(end(device(devices, 0), which))).toEqual(['root INVALID_FORMAT']);
    expect(await live(devices)).toEqual([0, 1]);
  });

  test('takes a thousand hashes, and reports all violations at once', async () => {
    const { devices } = await withDevices(2);
    const names = Array.from({ length: 999 }, (_, index) => hash('sha256', `session:${index}`, 'base64url'));
    const session_id_hashes = [...names, idHash(device(devices, 1)), 'one more'];
    expect(await violationsOf(end(device(devices, 0), { session_id_hashes, all: true }))).toEqual([
      'session_id_hashes INVALID_FORMAT',
      'root INVALID_FORMAT',
    ]);
    expect(await live(devices)).toEqual([0, 1]);
    await end(device(devices, 0), { session_id_hashes: session_id_hashes.slice(0, 1000) });
    expect(await live(devices)).toEqual([0]);
  });

  test('and listing require a session', async () => {
    const bot = { ...anonymous, kind: CallerKind.CALLER_KIND_BOT, account_id: '1', credential_id: '1' };
    const access = { ...bot, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN };
    for (const caller of [anonymous, bot, access]) {
      const calls = [
        service.auth.listSessions({}, { ...IN_TIME, caller }),
        service.auth.endSessions({ session_id_hashes: [], all: true }, { ...IN_TIME, caller }),
      ];
      for (const call of calls) expect(await faultOf(call)).toMatchObject({ reason: 'UNAUTHORIZED' });
    }
  });
});

describe('64 callers at two replicas', () => {
  const callers = Array.from({ length: 64 }, (_, index) => index);
  const replica = (index: number) => (index % 2 === 0 ? service.auth : elsewhere);

  test('that log out one session all succeed, with one event', async () => {
    const { devices, user_id } = await withDevices(2);
    const { caller } = device(devices, 0);
    await Promise.all(callers.map((index) => replica(index).logout({}, { ...IN_TIME, caller })));
    expect(await live(devices)).toEqual([1]);
    expect(await endings(user_id)).toEqual([['logout', {}]]);
  });

  test('that end the same sessions in different ways end each once, without deadlock', async () => {
    const { devices, user_id } = await withDevices(8);
    await service.db.query(
      `INSERT INTO sudo_grants (session_id, expires_at)
       SELECT id, now() + interval '5 min' FROM sessions WHERE account_id = $1`,
      [user_id],
    );
    const names = devices.slice(1).map(idHash);
    const ways = [
      { session_id_hashes: names },
      { others: true },
      { session_id_hashes: names.toReversed() },
      { all: true },
    ];
    await Promise.all(
      callers.map((index) =>
        end(device(devices, index % 8), ways[(index >> 3) % ways.length] ?? {}, replica(index)),
      ),
    );
    expect(await live(devices)).toEqual([]);
    const { rows } = await service.db.query<{ count: number }>(
      `SELECT sum((detail ->> 'count')::int)::int AS count FROM security_events
        WHERE account_id = $1 AND kind = 'sessions.ended'`,
      [user_id],
    );
    expect(rows).toEqual([{ count: 8 }]);
  });
});

describe('ending several sessions', () => {
  /** The indexes of the sessions that another transaction has locked. */
  async function held(tx: pg.PoolClient, ids: readonly string[]): Promise<number[]> {
    const { rows } = await tx.query<{ id: string }>(
      'SELECT id FROM sessions WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED',
      [ids],
    );
    return [...ids.keys()].filter((place) => !rows.some(({ id }) => id === ids[place]));
  }

  let made = 10_000;
  test.each(['all', 'others', 'session_id_hashes'] as const)(
    'locks them in the order of their IDs, which prevents deadlocks: %s',
    async (way) => {
      const person = await registered(service.auth);
      const ids = [1, 2, 3].map(() => String(++made));
      // The table has them in reverse order.
      await service.db.query(
        `INSERT INTO sessions (id, account_id, token_hash)
         SELECT id, $2, sha256(convert_to('made ' || id, 'UTF8')) FROM unnest($1::bigint[]) AS id`,
        [ids.toReversed(), person.user_id],
      );
      const tx = await service.db.connect();
      try {
        await tx.query('BEGIN');
        await tx.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [ids[1]]);
        const names = ids.map((id) => hash('sha256', `session:${id}`, 'base64url')).toReversed();
        const ended = end(person, { [way]: way === 'session_id_hashes' ? names : true });
        await untilWaitingForLock(service.db, 1);
        expect(await held(tx, ids)).toEqual([0]);
        await tx.query('COMMIT');
        await ended;
      } finally {
        tx.release();
      }
      expect(await live([person])).toEqual(way === 'all' ? [] : [0]);
      const left = await service.db.query('SELECT FROM sessions WHERE id = ANY ($1)', [ids]);
      expect(left.rowCount).toBe(0);
    },
  );

  test('waits while the password is changed or the account deleted', async () => {
    const { devices, user_id } = await withDevices(3);
    const ids = devices.map(({ caller }) => caller.credential_id);
    const tx = await service.db.connect();
    try {
      await tx.query('BEGIN');
      await tx.query('UPDATE accounts SET password_changed_at = now() WHERE id = $1', [user_id]);
      const ended = end(device(devices, 0), { all: true });
      await untilWaitingForLock(service.db, 1);
      expect(await held(tx, ids)).toEqual([]);
      await tx.query('DELETE FROM accounts WHERE id = $1', [user_id]);
      await tx.query('COMMIT');
      await ended;
    } finally {
      tx.release();
    }
    expect(await endings(user_id)).toEqual([]);
  });
});
