import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { docsExample } from '../../support/docs-example.ts';
import { newWebhook, type WebhookFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { alertmanagerIsMissing, startAlertmanager } from './alertmanager-process.ts';

export function alertmanagerAlerts(stack: TestStack): void {
  const urlOf = ({ path }: WebhookFixture) => `${stack.url}/api/v1${path}/chatcompat`;
  const alert = {
    labels: { alertname: 'DiskFull', instance: 'db-1.example.com', severity: 'critical' },
    annotations: { summary: 'The disk of db-1 is full.' },
  };

  describe.skipIf(alertmanagerIsMissing)('Prometheus Alertmanager', () => {
    it('posts firing and resolved alerts with its default templates, and counts them as sent', async () => {
      const hook = await newWebhook(stack.api);
      const slack = { api_url: urlOf(hook), channel: '#ops', send_resolved: true };
      const receivers = [{ name: 'chat', slack_configs: [slack] }]; // JSON is valid YAML.
      const alertmanager = await startAlertmanager(`receivers: ${JSON.stringify(receivers)}`);
      try {
        await alertmanager.post(alert);
        const fired = await message(hook, 1);
        expect(fired).toMatchObject({
          content: '',
          author: { id: hook.webhook.id, username: 'Alertmanager' },
        });
        expect(fired?.embeds).toMatchObject([
          { title: expect.stringMatching(/^\[FIRING:1\] DiskFull .*db-1\.example\.com/) },
        ]);
        expect(fired?.embeds[0]?.url).toMatch(/^http:\/\/.*receiver=chat$/);

        await alertmanager.post({ ...alert, endsAt: new Date(Date.now() - 1000).toISOString() });
        const resolved = await message(hook, 2);
        expect(resolved?.embeds[0]?.title).toMatch(/^\[RESOLVED\] DiskFull/);
        await until('both counted', 30_000, async () =>
          (await alertmanager.sent()) === 2 ? true : undefined,
        );
        expect(await alertmanager.failed()).toBe(0);
      } finally {
        await alertmanager.close();
      }
    });

    it('posts with the configuration in docs/webhooks.md', async () => {
      const hook = await newWebhook(stack.api);
      const example = docsExample('webhooks.md', 'yaml', 'slack_configs');
      const receivers = example.replace(/(?<=api_url: ).*/, urlOf(hook));
      const alertmanager = await startAlertmanager(receivers);
      try {
        await alertmanager.post(alert);
        const fired = { color: 0xe23c39, description: 'The disk of db-1 is full.\n' };
        expect((await message(hook, 1))?.embeds).toMatchObject([fired]);
        await alertmanager.post({ ...alert, endsAt: new Date(Date.now() - 1000).toISOString() });
        expect((await message(hook, 2))?.embeds).toMatchObject([{ ...fired, color: 0x3ecf8e }]);
      } finally {
        await alertmanager.close();
      }
    });
  });
}

/** The newest message, once there are `count`. */
function message(hook: WebhookFixture, count: number) {
  return until(`message ${count}`, 30_000, async () => {
    const messages = await hook.messages();
    return messages.length === count ? messages[0] : undefined;
  });
}
