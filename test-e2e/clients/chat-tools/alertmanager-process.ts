import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';
import { until } from '@gatehouse/dev-env/until';

const program = await aptProgram('prometheus-alertmanager', 'prometheus-alertmanager');

/** Whether Alertmanager is not installed, for describe.skipIf. */
export const alertmanagerIsMissing = program === undefined;

export interface AlertmanagerProcess {
  post(alert: object): Promise<void>;
  /** Number of messages sent, including failed ones. */
  sent(): Promise<number>;
  failed(): Promise<number>;
  close(): Promise<void>;
}

/** An Alertmanager that sends every alert to the receiver "chat"; `receivers` is that section of its configuration. */
export async function startAlertmanager(receivers: string): Promise<AlertmanagerProcess> {
  if (program === undefined) throw new Error('Alertmanager is not installed: see above');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-alertmanager-'));
  const file = join(folder, 'alertmanager.yml');
  const route = 'route: { receiver: chat, group_by: [alertname], group_wait: 0s, group_interval: 1s }';
  await writeFile(file, `${route}\n${receivers}`);
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const flags = ['--config.file', file, '--storage.path', folder, '--cluster.listen-address', ''];
  const args = [...flags, '--web.listen-address', address, '--log.level', 'error'];
  const child = spawn(...dieWithParent('KILL', program, args), { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  };
  const count = async (metric: string): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const lines = metrics.matchAll(new RegExp(`^${metric}\\{.*integration="slack".*\\} (\\d+)$`, 'gm'));
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  try {
    await until('Alertmanager is ready', 30_000, async () => {
      if (child.exitCode !== null) throw new Error(`Alertmanager ended with code ${child.exitCode}`);
      const ready = await fetch(`${url}/-/ready`).catch(() => undefined);
      return ready?.ok ? true : undefined;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    post: async (alert) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v2/alerts`, {
        method: 'POST',
        headers,
        body: JSON.stringify([alert]),
      });
      if (!response.ok) throw new Error(`Alertmanager refused the alert: ${await response.text()}`);
    },
    sent: () => count('alertmanager_notifications_total'),
    failed: () => count('alertmanager_notifications_failed_total'),
    close,
  };
}
