import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type BatchOptions, type BatchWatch, batcher } from '../batch.ts';
import { migrate } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import { watchQueries } from '../db/watch-queries.ts';
import { type ConnectionPlaces, connectionPlaces, sharedPlaces } from '../descriptors.ts';
import { opening, type Resources, type Running } from '../lifecycle.ts';
import { createLogger, type Logger } from '../log.ts';
import { type BatchMetrics, batchMetrics } from '../metrics/batch-metrics.ts';
import { operationsServer } from '../metrics/operations-server.ts';
import { outboxMetrics } from '../metrics/outbox-metrics.ts';
import { poolMetrics } from '../metrics/pool-metrics.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { rpcMetrics } from '../metrics/rpc-metrics.ts';
import { traceMetrics } from '../metrics/trace-metrics.ts';
import type { PeerRules } from '../rpc/access.ts';
import { type Certificates, openCertificates } from '../rpc/certificates.ts';
import { type Client, type Connection, type ConnectOptions, connect } from '../rpc/connect.ts';
import type { ServiceDefinition } from '../rpc/definition.ts';
import type { LocalServers } from '../rpc/direct/local-servers.ts';
import type { Implementation } from '../rpc/dispatch.ts';
import { serve } from '../rpc/serve.ts';
import { querySpans } from '../trace/query-spans.ts';
import type { Tracer, TracerOptions } from '../trace/tracer.ts';
import type { ProcessConfig } from './process-config.ts';

/** What every process has, and what it holds open. */
export interface Process {
  readonly log: Logger;
  /** What Prometheus reads. */
  readonly registry: Registry;
  /** Whether anybody reads it: what is counted for each request need not be otherwise. */
  readonly isMeasured: boolean;
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
  /** How many connections it may accept. */
  readonly places: ConnectionPlaces;
  /** Closed in reverse order. */
  readonly resources: Resources;
  /** Brings the service's own database up to date, and opens a pool. */
  openDatabase(database: OwnDatabase): Promise<Pool>;
  /** A batcher whose batches are counted under this name. */
  batcher<In, Out>(name: string, options: BatchOptions<In, Out>): (item: In) => Promise<Out>;
  /** What counts batches that are made elsewhere; undefined: nobody reads it. */
  batchWatch(name: string): BatchWatch | undefined;
  /** How to call the process with this name. */
  peer(name: string): PeerOptions;
  /** Calls every replica of a service. */
  connect<const D extends ServiceDefinition>(service: D, name: string, address: string): Connection<D>;
  /** The same, where only its methods are of interest. */
  client<const D extends ServiceDefinition>(service: D, name: string, address: string): Client<D>;
  /** Serves gRPC. Returns the address. */
  serve(listen: string, implementations: readonly Implementation[], peers: PeerRules): Promise<string>;
  /** Has `stop` called when the process is told to end, before anything is closed. */
  onDrain(stop: () => void): void;
  /** Whether it was told to end. */
  isDraining(): boolean;
  /** /readyz is 503 while `isReady` says no. */
  setReady(isReady: () => boolean | Promise<boolean>): void;
}

export type PeerOptions = Required<Pick<ConnectOptions, 'log' | 'metrics'>> &
  Pick<ConnectOptions, 'tls' | 'local'>;

export interface OwnDatabase {
  readonly url: string;
  /** Most connections. */
  readonly pool_size: number;
  /** The folder of its migrations. */
  readonly migrations: string;
  /** Its tables that keep what others are to be told, until they have been. */
  readonly outboxes?: readonly string[];
}

/** What is given to a process that another program starts, a test or the one that runs several in one. */
export interface ProcessOverrides {
  readonly log?: Logger;
  /** Of the services that share this process: they call each other without connections. */
  readonly local?: LocalServers;
}

export interface ProcessOptions extends ProcessOverrides {
  /** As its certificate has it, and its log. */
  readonly name: string;
  readonly config: ProcessConfig;
}

/** Starts a process: `open` opens what it is, and returns where it listens. What was opened is closed if that fails. */
export function startProcess(
  { name, config, log = createLogger({ name, level: config.log_level }), local: servers }: ProcessOptions,
  open: (process: Process) => Promise<string>,
): Promise<Running> {
  return opening(log, async (resources) => {
    const { rpc_tls: files, metrics_listen, drain_delay_ms, traces } = config;
    const registry = new Registry();
    const places = servers === undefined ? connectionPlaces() : sharedPlaces();
    const isMeasured = metrics_listen !== undefined;
    const metrics = isMeasured ? rpcMetrics(registry) : undefined;
    let batches: BatchMetrics | undefined;
    const batchWatch = (batch: string): BatchWatch | undefined => {
      if (!isMeasured) return undefined;
      batches ??= batchMetrics(registry);
      return batches(batch);
    };
    const tracer = traces && (await tracerOf({ ...traces, service: name, log }));
    resources.add('traces', () => tracer?.close()); // the last: of what ends before it, spans are still sent
    if (tracer !== undefined && isMeasured) traceMetrics(registry, tracer);
    const certificates = files && openCertificates({ files, name, log });
    resources.add('certificates', () => certificates?.close());
    const stops: (() => void)[] = [];
    let draining = false;
    let isReady: () => boolean | Promise<boolean> = () => true;

    const process: Process = {
      log,
      registry,
      isMeasured,
      tracer,
      places,
      resources,
      openDatabase: async ({ url, pool_size, migrations, outboxes = [] }) => {
        await migrate({ database_url: url, dir: migrations, log });
        const pool = openPool({ database_url: url, application_name: name, max: pool_size, log });
        resources.add('database', () => pool.end());
        if (isMeasured) {
          poolMetrics(registry, pool);
          outboxMetrics(registry, pool, outboxes);
        }
        const watches = [
          ...(isMeasured ? [queryMetrics(registry)] : []),
          ...(tracer === undefined ? [] : [querySpans(pool)]),
        ];
        if (watches.length > 0) watchQueries(pool, watches);
        return pool;
      },
      batcher: (name, options) => batcher({ ...options, name, watch: batchWatch(name) }),
      batchWatch,
      peer: (peer) => ({
        log,
        metrics,
        tls: tlsTo(peer, certificates),
        local: servers && { servers, name },
      }),
      connect: (service, peer, address) => {
        const connection = connect(service, { address, ...process.peer(peer) });
        resources.add(peer, () => connection.close());
        return connection;
      },
      client: (service, peer, address) => process.connect(service, peer, address).client,
      serve: async (address, implementations, peers) => {
        const tls = certificates && { certificates, peers };
        const local = servers && { servers, peers };
        const server = await serve({
          address,
          implementations,
          log,
          metrics,
          tracer,
          tls,
          local,
          max_connections: places.peers,
        });
        resources.add('server', () => server.close());
        stops.push(server.stopServing);
        return server.address;
      },
      onDrain: (stop) => stops.push(stop),
      isDraining: () => draining,
      setReady: (ready) => {
        isReady = ready;
      },
    };

    const address = await open(process);
    if (metrics_listen !== undefined) {
      collectDefaultMetrics({ register: registry });
      const ready = async () => !draining && (await isReady());
      processMetrics(registry, { isReady: ready, certificates });
      const server = await operationsServer(metrics_listen, { registry, isReady: ready });
      resources.add('metrics', () => server.close());
      log.info({ metrics: server.address }, 'metrics are served');
    }
    return {
      address,
      drain_delay_ms,
      close: async () => {
        draining = true;
        for (const stop of stops) stop();
        if (drain_delay_ms > 0) await sleep(drain_delay_ms);
        await resources.close();
      },
    };
  });
}

/** The SDK takes 30 MB and a tenth of a second: it is loaded only where spans are made. */
async function tracerOf(options: TracerOptions): Promise<Tracer> {
  const { openTracer } = await import('../trace/open-tracer.ts');
  return openTracer(options);
}

function tlsTo(peer: string, certificates: Certificates | undefined): PeerOptions['tls'] {
  return certificates && { certificates, peer };
}
