import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';
import { commandOf, enrolByPasskey, enrolByPassword, newOperator, PASSWORD, Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
beforeAll(async () => {
  service = await startConsole('console_races', { trusted_proxies: ['127.0.0.1'], database_pool_size: 16 });
});
afterAll(() => service.close());

let addresses = 0;
function browser(): Visitor {
  return new Visitor(service, { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } });
}

const MANY = 24;
const update = (name: string, new_link: boolean) =>
  service.operators.updateOperator({ name, new_link, new_token: false }, IN_TIME);

/** Holds the lock of an operator until `others`, each begun once the one before it waits for the lock, all wait. */
async function inTurn<const T extends readonly (() => Promise<unknown>)[]>(
  name: string,
  ...others: T
): Promise<PromiseSettledResult<unknown>[]> {
  const holder = await service.db.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM operators WHERE name = $1 FOR UPDATE', [name]);
    const begun: Promise<unknown>[] = [];
    for (const [index, other] of others.entries()) {
      begun.push(other());
      await expect.poll(waitingForLocks).toBe(index + 1);
    }
    await holder.query('COMMIT');
    return await Promise.allSettled(begun);
  } finally {
    holder.release(true);
  }
}

/** How many statements wait for a lock. In a transaction it would stay the same. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await service.db.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

/** The statuses of answers. A call that failed has its error. */
function statuses(settled: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return settled.map(
    (one) => (one.status === 'rejected' ? String(one.reason) : (one.value as { status?: number }).status), // an RPC has none
  );
}

async function sessionsOf(name: string): Promise<number> {
  const { rows } = await service.db.query('SELECT FROM sessions WHERE operator = $1', [name]);
  return rows.length;
}

describe('a sign-in that meets a reset of its factors', () => {
  it('by password opens no session', async () => {
    const { link_token } = await newOperator(service, 'reset-password');
    const secret = await enrolByPassword(browser(), link_token);
    const right = { name: 'reset-password', password: PASSWORD, code: totp(secret, 1) };
    const settled = await inTurn(
      'reset-password',
      () => update('reset-password', true),
      () => browser().post('/api/sign-in/password', right),
    );
    expect(statuses(settled)).toEqual([undefined, 401]);
    expect(await sessionsOf('reset-password')).toBe(0);
  });

  it('by passkey opens none that outlives it', async () => {
    const { link_token } = await newOperator(service, 'reset-passkey');
    const visitor = browser();
    const authenticator = await enrolByPasskey(visitor, link_token);
    const options = await visitor.post('/api/sign-in/passkey/options', { name: 'reset-passkey' });
    const response: unknown = JSON.parse(authenticator.get(options.text));
    const settled = await inTurn(
      'reset-passkey',
      () => browser().post('/api/sign-in/passkey', { name: 'reset-passkey', response }),
      () => update('reset-passkey', true),
    );
    expect(statuses(settled)).toEqual([200, undefined]);
    expect(await sessionsOf('reset-passkey')).toBe(0);
  });

  it('is refused while the operator is removed', async () => {
    const { link_token } = await newOperator(service, 'removed');
    const secret = await enrolByPassword(browser(), link_token);
    const right = { name: 'removed', password: PASSWORD, code: totp(secret, 1) };
    const settled = await inTurn(
      'removed',
      () => service.operators.removeOperator({ name: 'removed' }, IN_TIME),
      () => browser().post('/api/sign-in/password', right),
    );
    expect(statuses(settled)).toEqual([undefined, 401]);
  });
});

describe('a one-time link that is used', () => {
  it('while another is made is refused, and neither waits for the other', async () => {
    const { link_token } = await newOperator(service, 'crossed');
    const settled = await inTurn(
      'crossed',
      () => update('crossed', true),
      () => browser().post('/api/sign-in/link', { token: link_token }),
    );
    expect(statuses(settled)).toEqual([undefined, 401]);
  });

  it('while its operator is removed is refused', async () => {
    const { link_token } = await newOperator(service, 'vanishing');
    const settled = await inTurn(
      'vanishing',
      () => service.operators.removeOperator({ name: 'vanishing' }, IN_TIME),
      () => browser().post('/api/sign-in/link', { token: link_token }),
    );
    expect(statuses(settled)).toEqual([undefined, 401]);
  });

  it('works once for many callers', async () => {
    const { link_token } = await newOperator(service, 'popular');
    const uses = Array.from({ length: MANY }, () =>
      browser().post('/api/sign-in/link', { token: link_token }),
    );
    const answers = (await Promise.all(uses)).map(({ status }) => status);
    expect(answers.toSorted()).toEqual([200, ...Array.from({ length: MANY - 1 }, () => 401)]);
    expect(await sessionsOf('popular')).toBe(1);
  });
});

describe('a proof that many callers use at once signs in one of them', () => {
  it('if it is a code', async () => {
    const { link_token } = await newOperator(service, 'code');
    const secret = await enrolByPassword(browser(), link_token);
    const right = { name: 'code', password: PASSWORD, code: totp(secret, 1) };
    const uses = Array.from({ length: MANY }, () => browser().post('/api/sign-in/password', right));
    const answers = (await Promise.all(uses)).map(({ status }) => status);
    expect(answers.toSorted()).toEqual([200, ...Array.from({ length: MANY - 1 }, () => 401)]);
  });

  it('if it is a passkey’s signature', async () => {
    const { link_token } = await newOperator(service, 'signature');
    const visitor = browser();
    const authenticator = await enrolByPasskey(visitor, link_token);
    const options = await visitor.post('/api/sign-in/passkey/options', { name: 'signature' });
    const body = { name: 'signature', response: JSON.parse(authenticator.get(options.text)) as unknown };
    const uses = Array.from({ length: MANY }, () => browser().post('/api/sign-in/passkey', body));
    const answers = (await Promise.all(uses)).map(({ status }) => status);
    expect(answers.toSorted()).toEqual([200, ...Array.from({ length: MANY - 1 }, () => 401)]);
  });

  it('if it is the code that sets up a password', async () => {
    const { link_token } = await newOperator(service, 'setter');
    const visitor = browser();
    await visitor.post('/api/sign-in/link', { token: link_token });
    const { secret } = (await visitor.post('/api/enrol/totp')).body as { secret: string };
    const uses = Array.from({ length: 8 }, () =>
      visitor.with({}).post('/api/enrol/password', { password: PASSWORD, code: totp(secret) }),
    );
    const answers = (await Promise.all(uses)).map(({ status }) => status);
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    expect(await sessionsOf('setter')).toBe(1);
  });
});

describe('a session', () => {
  it('has the new role at once, and none after its operator is removed', async () => {
    const { link_token } = await newOperator(service, 'demoted', 'admin');
    const visitor = browser();
    await enrolByPassword(visitor, link_token);
    const add = (name: string) => visitor.post('/api/operators', { name, role: 'read' });
    expect((await add('by-demoted')).status).toBe(200);
    const admin = await commandOf(service, 'boss');
    await admin.send('PATCH', '/api/operators/demoted', { role: 'support' });
    expect((await add('by-demoted-2')).status).toBe(403);
    expect((await visitor.get('/api/me')).body).toMatchObject({ role: 'support' });
    await admin.send('DELETE', '/api/operators/demoted');
    expect((await visitor.get('/api/me')).status).toBe(401);
    // An operator of the same name is another one.
    await newOperator(service, 'demoted', 'admin');
    expect((await visitor.get('/api/me')).status).toBe(401);
  });
});

it('changes of one operator at once form a chain in the log: each begins where the one before it ended', async () => {
  const admins = [await commandOf(service, 'one'), await commandOf(service, 'other')];
  await newOperator(service, 'tossed', 'read');
  const roles = ['support', 'admin', 'read', 'support', 'admin', 'read', 'support', 'admin'];
  const changes = roles.map((role, index) =>
    admins[index % 2]?.send('PATCH', '/api/operators/tossed', { role }),
  );
  expect((await Promise.all(changes)).map((answer) => answer?.status)).toEqual(roles.map(() => 200));
  const removal = await admins[0]?.send('DELETE', '/api/operators/tossed');
  expect(removal?.status).toBe(200);
  const { rows } = await service.db.query<{ before: string; after: string | null }>(
    `SELECT before ->> 'role' AS before, after ->> 'role' AS after FROM actions
      WHERE target = 'operator:tossed' AND action <> 'operator.add' AND outcome = 'done'`,
  );
  expect(rows).toHaveLength(9);
  // As many changes lead to a role as lead away from it; the first begins at "read".
  const begins = rows.map(({ before }) => before).toSorted();
  const ends = ['read', ...rows.flatMap(({ after }) => (after === null ? [] : [after]))].toSorted();
  expect(begins).toEqual(ends);
});
