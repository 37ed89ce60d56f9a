import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';
import { until } from '@gatehouse/dev-env/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { copyExample } from './example-program.ts';

const prometheus = await aptProgram('prometheus', 'prometheus');
const alertmanager = await aptProgram('prometheus-alertmanager', 'prometheus-alertmanager');

export function prometheusAlert(stack: TestStack): void {
  describe.skipIf(prometheus === undefined || alertmanager === undefined)('examples/prometheus-alert', () => {
    const folder = copyExample('prometheus-alert');
    const closing: (() => Promise<void>)[] = [];
    let hook: WebhookFixture;
    beforeAll(async () => {
      hook = await newWebhook(stack.api);
      writeFileSync(join(folder.path, 'webhook-url'), `${stack.url}/api/v1${hook.path}/chatcompat\n`);
      const address = `127.0.0.1:${await freePort()}`;
      await start(alertmanager, address, [
        ...['--config.file', 'alertmanager.yml', '--storage.path', 'alertmanager'],
        ...['--cluster.listen-address', '', '--web.listen-address', address, '--log.level', 'error'],
      ]);
      writeFileSync(join(folder.path, 'prometheus.yml'), JSON.stringify(configuration(address)));
      const listen = `127.0.0.1:${await freePort()}`;
      await start(prometheus, listen, [
        ...['--config.file=prometheus.yml', '--storage.tsdb.path=prometheus'],
        ...[`--web.listen-address=${listen}`, '--log.level=error'],
      ]);
    });
    afterAll(async () => {
      for (const close of closing) await close();
      folder.remove();
    });

    async function start(program: string | undefined, address: string, flags: string[]): Promise<void> {
      const command = dieWithParent('KILL', program ?? '', flags);
      const child = spawn(...command, { cwd: folder.path, stdio: ['ignore', 'ignore', 'inherit'] });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      closing.push(() => {
        child.kill('SIGKILL');
        return ended;
      });
      await until(`${program} answers`, 30_000, async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`);
        return (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok || undefined;
      });
    }

    it('posts an alert for a target that does not answer', async () => {
      const [message] = await until('the alert', 30_000, async () => {
        const messages = await hook.messages();
        return messages.length > 0 ? messages : undefined;
      });
      expect(message?.author.username).toBe('Alertmanager');
      expect(message?.embeds).toMatchObject([
        {
          title: 'Firing: TargetDown',
          description: expect.stringMatching(/^clock at 127\.0\.0\.1:9 does not answer\./),
          color: 0xe23c39,
        },
      ]);
    });
  });
}

/** The configuration that the README names, as JSON, which is valid YAML. Nothing listens at the target. */
function configuration(alertmanager_address: string) {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    rule_files: ['rules.yml'],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager_address] }] }] },
    scrape_configs: [{ job_name: 'clock', static_configs: [{ targets: ['127.0.0.1:9'] }] }],
  };
}
