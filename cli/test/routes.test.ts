import { ROUTES } from '@gatehouse/gateway/routes';
import { describe, expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

describe('routes', () => {
  test('prints the table, aligned, with a row for each route', async () => {
    const { stdout } = await runCommand(['routes']);
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

  test('prints the same as JSON', async () => {
    const facts = JSON.parse((await runCommand(['routes', '--json'])).stdout) as object[];
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
});
