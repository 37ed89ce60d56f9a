import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { operationsServer } from '@gatehouse/kit/metrics/operations-server';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { DENIALS, INFO, REQUESTS, WEBHOOK_EXECUTIONS } from '../../src/metrics/wanted.ts';

/** A process with metrics, as the kit serves them. It ends with the test. */
export interface MetricsProcess {
  /** host:port of its metrics, also after a restart. */
  readonly address: string;
  /** Counts a request of a route. */
  request(route: string, seconds: number, status?: string): void;
  deny(bucket: string, times?: number): void;
  /** Counts an execution of a webhook. */
  execute(outcome: string): void;
  /** Another process, with a new registry, answers at the same address. */
  restart(): Promise<void>;
  /** No process answers until `restart` or `returns`. */
  leave(): void;
  returns(): void;
}

const BUCKETS = [0.01, 0.1, 1];

function metricsOf(version: string) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({ name: INFO, help: 'Version.', labelNames: ['version'], registers }).set({ version }, 1);
  const requests = new Histogram({
    name: REQUESTS,
    help: 'Requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const denials = new Counter({ name: DENIALS, help: 'Denials.', labelNames: ['bucket'], registers });
  const executions = new Counter({
    name: WEBHOOK_EXECUTIONS,
    help: 'Executions.',
    labelNames: ['outcome'],
    registers,
  });
  return { registry, requests, denials, executions };
}

export async function metricsProcess(version = '1.2.3'): Promise<MetricsProcess> {
  const proxy = await startTcpProxy();
  onTestFinished(() => proxy.close());
  let current = metricsOf(version);
  let address = '';
  const serve = async (): Promise<void> => {
    current = metricsOf(version);
    const server = await operationsServer('127.0.0.1:0', { registry: current.registry, isReady: () => true });
    onTestFinished(() => server.close());
    address = new URL(proxy.through(`http://${server.address}`)).host;
    proxy.restore();
  };
  await serve();
  return {
    address,
    request: (route, seconds, status = '200') =>
      current.requests.observe({ method: 'GET', route, status }, seconds),
    deny: (bucket, times = 1) => current.denials.inc({ bucket }, times),
    execute: (outcome) => current.executions.inc({ outcome }),
    restart: serve,
    leave: () => proxy.cut(),
    returns: () => proxy.restore(),
  };
}
