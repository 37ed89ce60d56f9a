import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { type Ended, runCommand } from '../support/run-command.ts';

type Run = (...args: string[]) => Promise<Ended>;

let deployment: Deployment;
let admin: Run;
let support: Run;
let read: Run;
beforeAll(async () => {
  deployment = await startDeployment('cli');
  admin = await deployment.operator('ada', 'admin');
  support = await deployment.operator('sam', 'support');
  read = await deployment.operator('rita', 'read');
});
afterAll(() => deployment.close());

const REASON = ['--reason', 'It floods webhooks.'] as const;

let made = 1_000;
let id: string;
/** An account with two sessions, an application, a webhook and a guild, all with its ID. */
beforeEach(async () => {
  id = String(++made);
  const { auth, chat, oauth2, 'webhook-delivery': webhooks } = deployment.db;
  await auth.query(
    `INSERT INTO accounts (id, username, username_key, email, email_key, verified)
     VALUES ($1::bigint, 'user' || $1, 'user' || $1, 'user' || $1 || '@example.com', 'user' || $1 || '@example.com', true)`,
    [id],
  );
  for (const token of [`a${id}`, `b${id}`])
    await auth.query('INSERT INTO sessions (id, account_id, token_hash, ip) VALUES ($1, $2, $3, $4)', [
      String(++made),
      id,
      createHash('sha256').update(token).digest(),
      '192.0.2.7',
    ]);
  await oauth2.query(
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     VALUES ($1, $1, 'Clock', '{https://client.test}', sha256('x'))`,
    [id],
  );
  await chat.query("INSERT INTO guilds (id, name, owner_id, member_count) VALUES ($1, 'Home', $1, 1)", [id]);
  await webhooks.query(
    `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id) VALUES ($1, $1, $1, 'Deploys', $2, $1)`,
    [id, 'T'.repeat(64)],
  );
});

/** The newest line of the operators' log. */
async function lastLine(): Promise<Record<string, unknown>> {
  const { stdout } = await runCommand(['operators', 'log', '--limit', '1', '--json'], {
    env: deployment.env,
  });
  return JSON.parse(stdout);
}

test('the status names each process that does not answer once', async () => {
  const { code, stdout } = await read('status', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).unavailable.toSorted()).toEqual([
    'media at 127.0.0.1:1',
    'realtime at 127.0.0.1:1',
  ]);
});

test('noisy webhooks are listed by the total, which is the first column', async () => {
  const { 'webhook-delivery': webhooks } = deployment.db;
  await webhooks.query(
    `INSERT INTO delivery_counts (webhook_id, hour, dialect, outcome, reason, count)
     SELECT $1::bigint, date_trunc('hour', now(), 'UTC'), 'execute', outcome, '', count
       FROM (VALUES ('posted', 20000), ('turned_away', 3), ('nothing', 400)) AS counts (outcome, count)`,
    [id],
  );
  const { code, stdout } = await read('webhooks', 'noisy', '--limit', '1');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^TOTAL +POSTED +NOTHING +REFUSED +DUPLICATE +ID /);
  expect(stdout).toMatch(new RegExp(`^20403 +20000 +400 +3 +0 +${id} `, 'm'));
});

describe('accounts', () => {
  test('are found by address, name, ID and the address of a session', async () => {
    for (const query of [id, `user${id}`, `USER${id}@example.com`]) {
      const { code, stdout } = await read('accounts', 'find', query);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`user${id}@example.com`)]);
      expect(stdout).toMatch(/^ID +NAME +E-MAIL +CREATED +SUSPENDED$/m);
    }
    const { stdout } = await read('accounts', 'find', '192.0.2.7', '--json');
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).id),
    ).toContain(id);
    expect(await read('accounts', 'find', "%'_")).toMatchObject({
      code: 0,
      stdout: 'No account was found.\n',
    });
  });

  test('are shown with what belongs to them, and without a secret', async () => {
    const { code, stdout } = await read('accounts', 'show', id);
    expect(code).toBe(0);
    const fingerprint = createHash('sha256').update(`a${id}`).digest('hex').slice(0, 16);
    for (const text of [
      `user${id}@example.com`,
      '\nSessions\n',
      fingerprint,
      '\nIts applications\n',
      'Clock',
      '\nIts webhooks\n',
    ])
      expect(stdout).toContain(text);
    const shown = JSON.parse((await read('accounts', 'show', id, '--json')).stdout);
    expect(shown).toMatchObject({ account: { id }, unavailable: [] });
    expect(shown.sessions).toHaveLength(2);
  });

  test('are suspended and restored, with a line in the log', async () => {
    const suspended = await support('accounts', 'suspend', id, ...REASON);
    expect(suspended).toEqual({
      code: 0,
      stdout: `Account ${id} is suspended; 2 sessions ended.\n`,
      stderr: '',
    });
    expect(await lastLine()).toMatchObject({
      operator: 'sam',
      action: 'account.suspend',
      target: `account:${id}`,
      reason: REASON[1],
      outcome: 'done',
      after: { id, suspension: { reason: REASON[1] } },
    });
    expect((await read('accounts', 'show', id)).stdout).toMatch(
      /^suspended +\S+Z by sam: It floods webhooks\.$/m,
    );
    expect((await read('webhooks', 'show', id)).stdout).toMatch(/^creator suspended +yes$/m);
    expect((await support('accounts', 'restore', id, ...REASON)).stdout).toBe(`Account ${id} is restored.\n`);
  });

  test.each([
    ['end-sessions', '2 sessions ended.', 'account.end-sessions'],
    ['reset-factors', 'has no second factor now.', 'account.reset-factors'],
    ['revoke-grants', '0 applications lost access.', 'account.revoke-grants'],
  ])('%s', async (command, text, action) => {
    const { code, stdout, stderr } = await admin('accounts', command, id, ...REASON);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(text);
    expect(await lastLine()).toMatchObject({ operator: 'ada', action, target: `account:${id}` });
  });

  test('that do not exist end with code 1', async () => {
    const { code, stderr } = await support('accounts', 'suspend', '5', ...REASON);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\(UNKNOWN_USER\)\nPOST http/)]);
  });
});

describe.each([
  ['apps', 'Application', 'application', 'Clock'],
  ['guilds', 'Guild', 'guild', 'Home'],
  ['webhooks', 'Webhook', 'webhook', 'Deploys'],
])('%s', (command, title, noun, name) => {
  test('are found and shown', async () => {
    const found = await read(command, 'find', id);
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${id} +${name} `, 'm')),
    ]);
    const shown = await read(command, 'show', id);
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^name +${name}$`, 'm')),
    ]);
  });

  test('are disabled and enabled, with a line in the log', async () => {
    const disabled = await admin(command, 'disable', id, ...REASON);
    expect([disabled.code, disabled.stdout]).toEqual([0, `${title} ${id} is disabled.\n`]);
    expect(await lastLine()).toMatchObject({
      operator: 'ada',
      action: `${noun}.disable`,
      target: `${noun}:${id}`,
      after: { disablement: { reason: REASON[1] } },
    });
    expect((await read(command, 'show', id)).stdout).toMatch(
      /^disabled +\S+Z by ada: It floods webhooks\.$/m,
    );
    const enabled = await admin(command, 'enable', id, ...REASON);
    expect([enabled.code, enabled.stdout]).toEqual([0, `${title} ${id} is enabled.\n`]);
  });
});

test('search finds all of an ID', async () => {
  const { code, stdout } = await read('search', id);
  expect(code).toBe(0);
  for (const kind of ['account', 'application', 'guild', 'webhook'])
    expect(stdout).toMatch(new RegExp(`^${kind} +${id} `, 'm'));
  expect(await read('search', 'x'.repeat(600))).toMatchObject({ code: 2 });
});

describe('an operator', () => {
  test('whose role is too low is refused, and nothing is changed', async () => {
    for (const args of [
      ['accounts', 'suspend', id],
      ['webhooks', 'disable', id],
    ]) {
      const { code, stderr } = await read(...args, ...REASON);
      expect([code, stderr]).toEqual([1, expect.stringContaining('An operator with a higher role')]);
    }
    expect(await support('apps', 'disable', id, ...REASON)).toMatchObject({ code: 1 });
    expect((await read('accounts', 'show', id)).stdout).not.toContain('suspended');
  });

  test('is added, changed, listed and removed; a removed token is refused', async () => {
    const run = await deployment.operator('eve', 'read');
    expect(await run('search', id)).toMatchObject({ code: 0 });
    const operators = (...args: string[]) => runCommand(['operators', ...args], { env: deployment.env });
    expect((await operators('list')).stdout).toMatch(/^eve +read +no +0 /m);
    expect(await operators('add', 'eve', '--role', 'read')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is an operator of this name.'),
    });
    const changed = await operators('update', 'eve', '--role', 'support', '--new-link');
    expect(changed.stdout).toMatch(/^Operator eve has the role support\.\nlink, .*\/link#/);
    expect(await operators('remove', 'eve')).toMatchObject({ code: 0, stdout: 'Operator eve is removed.\n' });
    expect(await run('search', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('operators add NAME --role ROLE'),
    });
    expect(
      (await operators('log', '--operator', 'certificate:operator')).stdout + (await operators('log')).stdout,
    ).toMatch(/operator\.remove +operator:eve/);
    expect(await operators('update', 'eve', '--new-token')).toMatchObject({ code: 1 });
  });

  test.each([
    ['no role', ['add', 'x'], "required option '--role <role>'"],
    ['an unknown role', ['add', 'x', '--role', 'root'], 'Allowed choices are read, support, admin'],
    ['no change', ['update', 'x'], 'nothing is changed'],
    ['a bad name', ['remove', 'A b'], 'It must be the name of an operator.'],
  ])('with %s ends with code 2', async (_, args, text) => {
    const { code, stderr } = await runCommand(['operators', ...args], { env: deployment.env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
