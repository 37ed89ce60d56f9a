import type { CollectedProcess } from '../metrics/collected-process.ts';
import {
  CLOSES,
  CONNECTIONS,
  OUTBOX_WAITING,
  POOL_CONNECTIONS,
  POOL_MAX,
  POOL_WAITING,
  RESUMES,
  SESSIONS,
  SLOW_READERS,
} from '../metrics/wanted.ts';

type Processes = readonly CollectedProcess[];

/** Connections to the database of a service's processes. */
export interface PoolState {
  readonly service: string;
  readonly used: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** A process, or one that does not answer. */
export interface Replica {
  readonly service: string;
  /** host:port of its metrics. */
  readonly address: string;
  /** Empty while it is unknown. */
  readonly version: string;
  readonly up: boolean;
  /** Milliseconds since the Unix epoch; 0 while it is unknown. */
  readonly started_at_ms: number;
}

/** The real-time Gateway. The counts are since its processes started. */
export interface GatewayState extends GatewayCounts {
  readonly close_codes: Readonly<Record<string, number>>;
  readonly replicas: readonly ({ readonly address: string; readonly up: boolean } & GatewayCounts)[];
}

interface GatewayCounts {
  readonly connections: number;
  readonly resumes: number;
  readonly slow_readers: number;
}

/** By service. */
export function poolsOf(processes: Processes): PoolState[] {
  const services = new Set(processes.map(({ service }) => service));
  return [...services].toSorted().flatMap((service) => {
    const replicas = processes.filter((one) => one.service === service);
    const max = sum(replicas, POOL_MAX);
    if (max === undefined) return [];
    const used = sum(replicas, POOL_CONNECTIONS, { state: 'used' }) ?? 0;
    return [{ service, used, waiting: sum(replicas, POOL_WAITING) ?? 0, max }];
  });
}

/** Sessions of the Gateway, connected ones and those that may resume. Null while no process of it answers. */
export function sessionsOf(processes: Processes): number | null {
  return sum(processes, SESSIONS) ?? null;
}

/** Mails that wait. Every process counts all of them. */
export function mailQueueOf(processes: Processes): number | null {
  const counts = processes.flatMap((one) => valuesOf(one, OUTBOX_WAITING, { outbox: 'mails' }));
  return counts.length === 0 ? null : Math.max(...counts);
}

export function replicasOf(processes: Processes): Replica[] {
  return processes.map((one) => ({
    service: one.service,
    address: one.address,
    version: one.version(),
    up: one.isUp,
    started_at_ms: one.startedAt_ms(),
  }));
}

export function gatewayOf(processes: Processes): GatewayState {
  const replicas = processes.filter(({ service }) => service === 'realtime');
  const close_codes: Record<string, number> = {};
  for (const { series, value } of replicas.flatMap((one) => one.samples(CLOSES))) {
    const code = series.labels.get('code') ?? '';
    close_codes[code] = (close_codes[code] ?? 0) + value;
  }
  return {
    ...countsOf(replicas),
    close_codes,
    replicas: replicas.map((one) => ({ address: one.address, up: one.isUp, ...countsOf([one]) })),
  };
}

function countsOf(processes: Processes): GatewayCounts {
  return {
    connections: sum(processes, CONNECTIONS) ?? 0,
    resumes: sum(processes, RESUMES, { outcome: 'resumed' }) ?? 0,
    slow_readers: sum(processes, SLOW_READERS) ?? 0,
  };
}

/** Undefined if no process has the metric. */
function sum(
  processes: Processes,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const values = processes.flatMap((one) => valuesOf(one, name, labels));
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0);
}

function valuesOf(
  process: CollectedProcess,
  name: string,
  labels: Readonly<Record<string, string>>,
): number[] {
  const wanted = Object.entries(labels);
  return process
    .samples(name)
    .filter(({ series }) => wanted.every(([label, value]) => series.labels.get(label) === value))
    .map(({ value }) => value);
}
