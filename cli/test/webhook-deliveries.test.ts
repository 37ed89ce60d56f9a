import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { connect } from '@gatehouse/kit/rpc';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { readConfig } from '@gatehouse/webhook-delivery/config';
import { start } from '@gatehouse/webhook-delivery/start';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const MIGRATIONS = fileURLToPath(new URL('../../services/webhook-delivery/migrations', import.meta.url));
const TOKEN = 'T'.repeat(64);

let db: pg.Pool;
let service: Running;
let startHere: (env: NodeJS.ProcessEnv) => Promise<Running>;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  const { database_url, drop } = await testDatabase(MIGRATIONS, 'webhooks_cli');
  db = openPool({ database_url, application_name: 'test', max: 2 });
  // These executions post nothing, so they need no other service.
  startHere = (env) => {
    const config = readConfig({ LISTEN: '127.0.0.1:0', DATABASE_URL: database_url, ...env });
    return start({ ...config, database_url }, { log: silentLogger });
  };
  service = await startHere({});
  closing.push(service.close, () => db.end(), drop);
});
afterAll(async () => {
  for (const close of closing) await close();
});

let made = 100;
let webhook_id: string;
beforeEach(async () => {
  webhook_id = String(++made);
  await db.query(
    `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id) VALUES ($1, 1, 2, 'Deploys', $2, 3)`,
    [webhook_id, TOKEN],
  );
});

const runWith = (env: NodeJS.ProcessEnv, args: readonly string[]) =>
  runCommand(['webhooks', 'deliveries', ...args], { env });
const run = (...args: string[]) => runWith({ WEBHOOK_DELIVERY_ADDRESS: service.address }, args);

/** Sends events that are not shown. */
async function send(...events: string[]): Promise<void> {
  const { client, close } = connect(WebhookDeliveryServiceDefinition, { address: service.address });
  try {
    const body = Buffer.from('{"repository":{},"action":"labeled"}');
    for (const event of events)
      await client.executeCodehost({ webhook_id, token: TOKEN, body, event }, { timeoutMs: 15_000 });
  } finally {
    close();
  }
}

describe('the deliveries of a webhook', () => {
  test('are a table, newest first, with the reason of each and the counts', async () => {
    await send('issues', 'issues', 'deployment');
    const { code, stdout, stderr } = await run(webhook_id);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`Webhook ${webhook_id}: 3 executions posted nothing in the last 24 hours.`);
    expect(lines[2]).toMatch(/^TIME +DIALECT +EVENT +OUTCOME +WHY$/);
    const time = '[0-9-]{10}T[0-9:.]{12}Z';
    expect(lines[3]).toMatch(
      new RegExp(
        `^${time}  codehost  deployment  nothing  event_unknown: Events of this name are not shown\\.`,
      ),
    );
    const shown = 'issues is shown for the actions opened, closed, reopened.';
    expect(lines[4]).toMatch(
      new RegExp(`^${time}  codehost  issues +nothing  action_not_shown: .*${shown}$`),
    );
    expect(stdout).toMatch(/^2 +codehost +nothing +action_not_shown\n1 +codehost +nothing +event_unknown$/m);
    expect(stdout).toContain('wrong token (401)');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain(TOKEN);
  });

  test('are one line of JSON for scripts', async () => {
    await send('issues', '');
    const { code, stdout } = await run(webhook_id, '--json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const common = { at: expect.stringMatching(/Z$/), dialect: 'codehost', outcome: 'nothing' };
    expect(JSON.parse(stdout)).toEqual({
      webhook_id,
      webhook_exists: true,
      deliveries: [
        {
          ...common,
          event: null,
          reason: 'event_missing',
          explanation: expect.stringMatching(/^There is no/),
        },
        {
          ...common,
          event: 'issues',
          reason: 'action_not_shown',
          explanation: expect.stringContaining('opened, closed, reopened'),
        },
      ],
      counts: [
        { dialect: 'codehost', outcome: 'nothing', reason: 'action_not_shown', count: 1 },
        { dialect: 'codehost', outcome: 'nothing', reason: 'event_missing', count: 1 },
      ],
    });
  });

  test('are at most --limit, and all are counted', async () => {
    await send('issues', 'issues', 'ping');
    const { stdout } = await run(webhook_id, '--limit', '1');
    expect(stdout).toContain('3 executions posted nothing in the last 24 hours. The newest 1:');
    expect(stdout.match(/ codehost +(?:issues|ping) /g)).toHaveLength(1);
    expect(stdout).toMatch(/^2 +codehost +nothing +action_not_shown$/m);
  });

  test('are also listed from the hour that is no longer counted', async () => {
    await db.query(
      `INSERT INTO deliveries (webhook_id, at, dialect, outcome, reason)
       VALUES ($1, now() - interval '23 hours 59 minutes', 'chatcompat', 'refused', 'empty')`,
      [webhook_id],
    );
    const { stdout } = await run(webhook_id);
    expect(stdout).toMatch(/^Webhook [0-9]+: 1 execution posted nothing in the last 24 hours\.\n\nTIME/);
    expect(stdout).toMatch(/ chatcompat +- +refused +empty: There is nothing to show/);
  });

  test('explain the absence of deliveries', async () => {
    const { code, stdout } = await run(webhook_id);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^Webhook ${webhook_id}: every request .* was posted .*\\.\\nRequests with .* \\(429\\)`),
    );
  });

  test('of an unknown webhook are reported as such', async () => {
    const { code, stdout } = await run('9');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^There is no webhook 9 now\. Requests to it are answered 404\.\nNone was recorded/,
    );
  });

  test('cannot send terminal control sequences in the name of an event', async () => {
    await db.query(
      `INSERT INTO deliveries (webhook_id, dialect, event, outcome, reason)
       VALUES ($1, 'codehost', $2, 'nothing', 'of another version')`,
      [webhook_id, 'a\u001b[2J\u202eb\nc'],
    );
    for (const more of [[], ['--json']]) {
      const { stdout } = await run(webhook_id, ...more);
      expect(stdout).not.toMatch(/[\p{Bidi_Control}]|(?!\n)\p{Cc}/u);
      expect(stdout).toContain('of another version');
    }
  });
});

describe('a mistake ends with code 2, on standard error:', () => {
  test.each([
    ['no webhook', [], "missing required argument 'webhook-id'"],
    ['no ID', ['mine'], 'It must be the ID of a webhook.'],
    ['two IDs', ['1', '2'], 'too many arguments'],
    ['a limit of 0', ['1', '--limit', '0'], 'It must be a whole number from 1 to 500.'],
    ['a limit of 501', ['1', '--limit', '501'], 'It must be a whole number'],
    ['a limit of words', ['1', '--limit', 'all'], 'It must be a whole number'],
    ['an address without a port', ['1', '--address', 'here'], 'It must be host:port'],
    ['an option of try', ['1', '--event', 'push'], "unknown option '--event'"],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });
});

test('over mutual TLS it calls with the certificate of the operator', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const issuer = await openCertificateFolder(folder, { name: 'test', valid_days: 1 });
  for (const name of ['operator', 'webhook-delivery'])
    await issuer.issue(name, { domain: 'test', valid_days: 1 });
  const { cert, key, ca } = certificateFilesIn(folder, 'webhook-delivery');
  await send('issues');
  const secured = await startHere({ RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca });
  onTestFinished(secured.close);
  const asked = [webhook_id, '--address', secured.address];
  expect(await runWith({ RPC_TLS_DIR: folder }, asked)).toMatchObject({ code: 0, stderr: '' });
  expect((await runWith({}, asked)).code).toBe(3);
});
