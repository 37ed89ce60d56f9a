import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../src/routes/index.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));

/** Runs a script as npm would, after the toolchain. */
async function run(script: string, ...args: string[]) {
  const command = [`${SCRIPTS}${script}`, ...args];
  return promisify(execFile)(process.execPath, command).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
      stdout,
      stderr,
      code,
    }),
  );
}

describe('npm run routes', () => {
  it('prints the table, aligned, a route a route', async () => {
    const { stdout } = await run('routes.ts');
    const [heading = '', ...lines] = stdout.trimEnd().split('\n');
    const rpcs = lines.filter((line) => /^[A-Z]/.test(line));
    expect(rpcs).toHaveLength(ROUTES.length);
    for (const name of ['PATH', 'RPC', 'WHO', 'BUCKETS']) {
      const column = heading.indexOf(name);
      for (const line of rpcs) expect(line.slice(column - 2, column + 1)).toMatch(/^ {2}\S/);
    }
    const execute = lines.find((line) => line.includes('executeWebhook'));
    expect(execute?.split(/ {2,}/)).toEqual([
      'POST',
      '/webhooks/{webhook_id}/{token}',
      'webhook_delivery.executeWebhook',
      'public',
      'webhook:execute 60/60s by webhook',
      'exempt',
      'bytes 1 MiB',
      '200/204',
    ]);
  });

  it('gives the same as JSON', async () => {
    const facts = JSON.parse((await run('routes.ts', '--json')).stdout) as object[];
    expect(facts).toHaveLength(ROUTES.length);
    expect(facts).toContainEqual({
      verb: 'POST',
      path: '/webhooks/{webhook_id}/{token}/chatcompat',
      service: 'webhook_delivery',
      rpc: 'executeChatcompat',
      access: 'public',
      scope: null,
      member_buckets: [],
      buckets: [{ name: 'webhook:execute', limit: 60, window_seconds: 60, by: ['webhook'] }],
      global_exempt: true,
      body: 'bytes',
      body_limit_bytes: 1024 * 1024,
      status: [200],
      content_type: 'text/html',
      text: 'ok',
    });
    const account = (name: string, limit: number, window_seconds: number) => [
      { name, limit, window_seconds, by: ['account'] },
    ];
    expect(facts).toContainEqual(
      expect.objectContaining({
        path: '/auth/sudo',
        member_buckets: [
          { member: 'password', changed: false, several: false, buckets: account('auth:sudo_pwd', 10, 300) },
          { member: 'mfa_code', changed: false, several: false, buckets: account('auth:sudo_mfa', 10, 900) },
          {
            member: 'sudo_proof',
            changed: false,
            several: false,
            buckets: account('auth:pk_assert', 10, 300),
          },
        ],
        body: 'optional_json',
      }),
    );
    expect(facts).toContainEqual(
      expect.objectContaining({
        path: '/users/@me/channels',
        member_buckets: [
          {
            member: 'recipients',
            changed: false,
            several: true,
            buckets: account('user:group_dm:create', 10, 3600),
          },
        ],
      }),
    );
    expect(facts).toContainEqual(
      expect.objectContaining({ path: '/guilds/{guild_id}', access: 'user_or_bot', scope: 'guilds' }),
    );
  });

  it.each(['routes.ts', 'generate.ts'])(
    'and npm run generate: %s has --help, and refuses what it does not know',
    async (script) => {
      const help = await run(script, '--help');
      expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^npm run \w+/)]);
      const wrong = await run(script, '--nonsense');
      expect([wrong.code, wrong.stdout]).toEqual([2, '']);
      expect(wrong.stderr).toMatch(/--nonsense[\s\S]*npm run/);
    },
  );
});

describe('npm run generate -- --check', () => {
  it('ends with 0 while the pages are up to date', async () => {
    expect(await run('generate.ts', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
