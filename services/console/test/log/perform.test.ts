import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, NO_SERVICE, startConsole } from '../start-console.ts';
import { commandOf, expectOk, newOperator, type Visitor } from '../visitor.ts';

/** A service that accepts connections and never answers. */
let mute: Server;
const connections = new Set<Socket>();
let service: ConsoleUnderTest;
let command: Visitor;
let authorization: string;
beforeAll(async () => {
  mute = createServer((socket) => connections.add(socket.on('error', () => undefined))).listen(
    0,
    '127.0.0.1',
  );
  await once(mute, 'listening');
  const address = mute.address();
  const auth = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  service = await startConsole('console_perform', { addresses: { ...NO_SERVICE, auth } });
  command = await commandOf(service, 'tester');
  authorization = `Bearer ${(await newOperator(service, 'leaver')).token}`;
});
afterAll(async () => {
  await service.close();
  for (const socket of connections) socket.destroy();
  mute.close();
});

async function linesOf(target: string) {
  const { rows } = await service.db.query<Record<string, unknown>>(
    'SELECT operator, reason, outcome, after, ended_at IS NOT NULL AS ended FROM actions WHERE target = $1 ORDER BY id',
    [target],
  );
  return rows;
}

it('an action whose service never answers has an unknown outcome: it may still happen', async () => {
  const answer = await command.post('/api/accounts/7/suspend', { reason: 'Nobody answers.' });
  expect([answer.status, answer.body.code]).toEqual([504, 'GATEWAY_TIMEOUT']);
  expect(answer.body.message).toContain('It may act all the same');
  expect(await linesOf('account:7')).toEqual([
    {
      operator: 'tester',
      reason: 'Nobody answers.',
      outcome: expect.stringMatching(/^unknown: GATEWAY_TIMEOUT: /) as unknown,
      after: null,
      ended: true,
    },
  ]);
});

it('an action that is refused has failed', async () => {
  const answer = await command.send('PATCH', '/api/operators/nobody', { role: 'read' });
  expect([answer.status, answer.body.code]).toEqual([404, 'UNKNOWN_OPERATOR']);
  expect(await linesOf('operator:nobody')).toMatchObject([
    { outcome: expect.stringMatching(/^failed: UNKNOWN_OPERATOR: /) as unknown },
  ]);
});

it('an action whose operator hangs up is completed all the same', async () => {
  await newOperator(service, 'changed', 'read');
  const holder = await service.db.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM operators WHERE name = 'changed' FOR UPDATE`);
    const sent = request(`${service.url}/api/operators/changed`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
    });
    sent.on('error', () => undefined); // it is given up
    sent.end(JSON.stringify({ role: 'support', reason: 'Gone meanwhile.' }));
    // It waits for the lock.
    await expect
      .poll(async () => (await linesOf('operator:changed')).at(-1))
      .toMatchObject({ operator: 'leaver', reason: 'Gone meanwhile.', outcome: 'started' });
    sent.destroy();
    await expectOk(command.get('/api/me'));
    await holder.query('COMMIT');
  } finally {
    holder.release(true);
  }
  await expect
    .poll(async () => (await linesOf('operator:changed')).at(-1))
    .toMatchObject({ operator: 'leaver', outcome: 'done', after: { role: 'support' } });
});

it('an action without a line does not run', async () => {
  await service.db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full'; END $$`);
  await service.db.query('CREATE TRIGGER refuse BEFORE INSERT ON actions EXECUTE FUNCTION refuse()');
  try {
    const answer = await command.post('/api/operators', { name: 'unlogged', role: 'admin' });
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
  } finally {
    await service.db.query('DROP TRIGGER refuse ON actions');
  }
  const { rows } = await service.db.query(`SELECT FROM operators WHERE name = 'unlogged'`);
  expect(rows).toEqual([]);
});

it('while the database is away, an action is 503 and names it', async () => {
  await service.db.query(`
    CREATE FUNCTION be_away() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END $$`);
  await service.db.query('CREATE TRIGGER away BEFORE INSERT ON actions EXECUTE FUNCTION be_away()');
  try {
    const answer = await command.post('/api/operators', { name: 'unlogged', role: 'admin' });
    expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
      503,
      {
        code: 'SERVICE_UNAVAILABLE',
        message: 'The console’s database does not answer. Try again shortly.',
      },
      '1',
    ]);
  } finally {
    await service.db.query('DROP TRIGGER away ON actions');
  }
});

it('an action whose line cannot be completed is answered, and its line stays "started"', async () => {
  await service.db.query(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'full'; END $$`);
  await service.db.query('CREATE TRIGGER refuse BEFORE UPDATE ON actions EXECUTE FUNCTION refuse()');
  try {
    await expectOk(command.post('/api/operators', { name: 'half-logged', role: 'read' }));
  } finally {
    await service.db.query('DROP TRIGGER refuse ON actions');
  }
  expect(await linesOf('operator:half-logged')).toMatchObject([{ outcome: 'started', ended: false }]);
  expect(service.log.join('')).toContain('the line of an action could not be completed');
});

describe('a reason', () => {
  it.each([
    'two\nlines\tand a tab',
    '\u001b[2J\u0007 for a terminal',
    '\u202egnirts a',
    `'; DROP TABLE actions; --`,
    '🦊'.repeat(512),
    '<script>alert(1)</script>',
  ])('is kept as it was given: %j', async (reason) => {
    const name = `reason-${Buffer.from(reason).toString('hex').slice(0, 16)}`;
    await expectOk(command.post('/api/operators', { name, role: 'read', reason }));
    expect(await linesOf(`operator:${name}`)).toMatchObject([{ reason, outcome: 'done' }]);
    const exported = (await command.get('/api/log.jsonl')).text.trimEnd().split('\n');
    const line: unknown = JSON.parse(exported.at(-1) ?? '');
    expect(line).toMatchObject({ reason, target: `operator:${name}` });
  });

  it.each(['a\0b', 'half of a fox: \ud83e', '\udd8a', '🦊'.repeat(513)])(
    'that no database keeps is refused: %.20j',
    async (reason) => {
      const { status, body } = await command.post('/api/operators', {
        name: 'refused',
        role: 'read',
        reason,
      });
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ path: 'reason' }] });
      expect(await linesOf('operator:refused')).toEqual([]);
    },
  );
});
