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
  const backend = await startBackend();
  const port = await freePort();
  const configuration = envoyConfiguration(port, address, backend.address, routes, domain);
  const envoy = await runEnvoy(JSON.stringify(configuration), port);
  return {
    get: (route, webhook) => fetch(`${envoy.url}/${route}`, { headers: { 'x-webhook': webhook } }),
    close: async () => {
      await envoy.close();
      backend.close();
    },
  };
}

export interface Backend {
  readonly address: string;
  /** Number of requests that reached it. */
  readonly requests: () => number;
  close(): void;
}

/** A server that answers 200. */
export async function startBackend(): Promise<Backend> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, requests: () => requests, close: () => server.close() };
}

export interface EnvoyProcess {
  readonly url: string;
  close(): Promise<void>;
}

/** Runs Envoy with a configuration, in YAML or JSON, that listens on this port of 127.0.0.1. */
export async function runEnvoy(configuration: string, port: number): Promise<EnvoyProcess> {
  if (program === undefined) throw new Error('there is no Envoy: see above');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-envoy-'));
  const file = join(folder, 'envoy.yaml');
  await writeFile(file, configuration);
  const flags = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'];
  const child = spawn(...dieWithParent('KILL', program, flags), { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    await untilAnswers(url, child);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
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
