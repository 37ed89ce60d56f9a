import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { envoyProgram } from '@gatehouse/dev-env/programs/envoy-program';
import { envoyConfiguration, type Route } from './envoy-configuration.ts';

const program = await envoyProgram();

/** For describe.skipIf. */
export const envoyIsMissing = program === undefined;

export interface RealEnvoy {
  /** Requests a route by its name, for a webhook. */
  get(route: string, webhook: string): Promise<Response>;
  close(): Promise<void>;
}

/** An Envoy in front of a server that answers 200; the rate limit service at `address` decides which requests pass. */
export async function startEnvoy(
  address: string,
  routes: Readonly<Record<string, Route>>,
  domain = 'gatehouse',
): Promise<RealEnvoy> {
  if (program === undefined) throw new Error('there is no Envoy: see above');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-envoy-'));
  const file = join(folder, 'envoy.json');
  const upstream = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const upstreamAddress = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const port = await freePort();
  const configuration = envoyConfiguration(port, address, upstreamAddress, routes, domain);
  await writeFile(file, JSON.stringify(configuration));
  const flags = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'];
  const child = spawn(...dieWithParent('KILL', program, flags), { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    upstream.close();
    await rm(folder, { recursive: true });
  };
  try {
    await untilAnswers(url, child);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get: (route, webhook) => fetch(`${url}/${route}`, { headers: { 'x-webhook': webhook } }),
    close,
  };
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`envoy ended with code ${child.exitCode}`);
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(20);
  }
}
