import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { envoyProgram } from '@gatehouse/dev-env/programs/envoy-program';
import { until } from '@gatehouse/dev-env/until';
import { type ConfigurationOptions, writeConfiguration } from './configuration.ts';

export const program = await envoyProgram();

/** For describe.skipIf. */
export const envoyIsMissing = program === undefined;

export interface RunningEnvoy {
  /** The port on 127.0.0.1 in place of a port in the file. */
  port(inFile: number): number;
  /** Its plaintext listener, without a path. */
  readonly url: string;
  /** Its output: the access log and its own messages. */
  log(): string;
  /** The lines of its access log. */
  requests(): AccessLine[];
  /** A metric's value, or 0 without one. */
  metric(name: string, label?: string): Promise<number>;
  /** Resolves once this number of a cluster's hosts pass their health checks. */
  healthy(cluster: string, hosts: number): Promise<void>;
  close(): Promise<void>;
}

export interface AccessLine {
  readonly route: string | null;
  readonly status: number;
  readonly details: string;
  readonly request_id: string | null;
  readonly edge: string | null;
  readonly tries: number;
}

const FLAGS = ['--concurrency', '1', '--disable-hot-restart', '--log-level', 'info'];

/** Runs Envoy with a configuration of deploy/envoy and these changes. */
export async function runEnvoy(options: ConfigurationOptions): Promise<RunningEnvoy> {
  if (program === undefined) throw new Error('Envoy is not installed; the output above says why');
  const { folder, path, ports } = await writeConfiguration(options);
  const flags = ['-c', path, ...FLAGS, '--file-flush-interval-msec', '20'];
  const child = spawn(...dieWithParent('KILL', program, flags), { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = (inFile: number): number => {
    const found = ports.get(inFile);
    if (found === undefined) throw new Error(`the configuration has no port ${inFile}`);
    return found;
  };
  const metric = async (name: string, label = ''): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${port(9464)}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes(label));
    return Number(line?.slice(line.lastIndexOf(' ')) ?? 0);
  };
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    await untilEnvoyReady(child, port(9464), () => written);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port,
    url: `http://127.0.0.1:${ports.get(8080)}`,
    log: () => written,
    requests: () =>
      written
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as AccessLine),
    metric,
    healthy: (cluster, hosts) =>
      until(`${hosts} healthy of ${cluster}`, 60_000, async () => {
        const healthy = await metric('envoy_cluster_membership_healthy', `"${cluster}"`);
        return healthy === hosts ? true : undefined;
      }).then(() => undefined),
    close,
  };
}

async function untilEnvoyReady(child: ChildProcess, port: number, written: () => string): Promise<void> {
  await until('Envoy is ready', 60_000, async () => {
    if (child.exitCode !== null) throw new Error(`envoy ended with ${child.exitCode}: ${written()}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return response?.ok ? true : undefined;
  });
}
