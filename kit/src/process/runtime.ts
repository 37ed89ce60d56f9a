import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { migrate } from '../db/migrate.ts';
import { type OutboxTable, outboxCounts } from '../db/outbox-counts.ts';
import { openPool } from '../db/pool.ts';
import { watchQueries } from '../db/watch-queries.ts';
import type { Job } from '../job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { jobsImplementation, type OwnJobs, ownJobs } from '../jobs/jobs-service.ts';
import type { Resources } from '../lifecycle.ts';
import type { Logger } from '../log.ts';
import { type BatchMetrics, batchMetrics } from '../metrics/batch-metrics.ts';
import { operationsServer } from '../metrics/operations-server.ts';
import { outboxMetrics } from '../metrics/outbox-metrics.ts';
import { poolMetrics } from '../metrics/pool-metrics.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { type RpcMetrics, rpcMetrics } from '../metrics/rpc-metrics.ts';
import { traceMetrics } from '../metrics/trace-metrics.ts';
import { type BatchOptions, type BatchWatch, batcher } from '../queues/batch.ts';
import { type Client, type Connection, type ConnectOptions, connect } from '../rpc/connect.ts';
import type { ServiceDefinition } from '../rpc/definition.ts';
import type { LocalServers } from '../rpc/direct/local-servers.ts';
import type { Implementation } from '../rpc/dispatch.ts';
import { serve } from '../rpc/serve.ts';
import type { Certificates } from '../rpc/tls/certificates.ts';
import { type ConnectionLimits, connectionLimits, sharedConnectionLimits } from '../system/descriptors.ts';
import { querySpans } from '../trace/query-spans.ts';
import type { Tracer } from '../trace/tracer.ts';

/**
 * How often the lag of the event loop is sampled: it is part of each sample. The default of 10 ms costs an idle process
 * 0.5 % of a core, this one 0.1 %.
 */
const LAG_SAMPLES_MS = 40;

export interface RuntimeOptions {
  readonly name: string;
  readonly log: Logger;
  readonly resources: Resources;
  readonly hasMetrics: boolean;
  readonly tracer: Tracer | undefined;
  readonly certificates: Certificates | undefined;
  readonly localServers: LocalServers | undefined;
}

export type PeerOptions = Required<Pick<ConnectOptions, 'log' | 'metrics'>> &
  Pick<ConnectOptions, 'tls' | 'local'>;

export interface OwnDatabase {
  readonly url: string;
  /** Maximum number of connections. */
  readonly pool_size: number;
  /** Folder of the SQL migrations. */
  readonly migrations: string;
  /** Its outbox tables, for metrics and JobsService. */
  readonly outboxes?: readonly (string | OutboxTable)[];
}

/** The shared parts of a running service: logger, metrics, tracer, open resources, connections to other services. */
export class Runtime {
  readonly log: Logger;
  readonly resources: Resources;
  /** Prometheus metrics. */
  readonly registry = new Registry();
  /** Whether metrics are served. If not, per-request counting may be skipped. */
  readonly hasMetrics: boolean;
  /** Undefined if tracing is off. */
  readonly tracer: Tracer | undefined;
  /** How many connections the process may accept. */
  readonly connectionLimits: ConnectionLimits;
  /** The jobs and outboxes that JobsService lists. */
  readonly jobs = new Jobs();
  readonly #name: string;
  readonly #certificates: Certificates | undefined;
  readonly #localServers: LocalServers | undefined;
  readonly #rpcMetrics: RpcMetrics | undefined;
  readonly #drainActions: (() => void)[] = [];
  #batchMetrics: BatchMetrics | undefined;
  #isReady: () => boolean | Promise<boolean> = () => true;
  #draining = false;

  constructor({ name, log, resources, hasMetrics, tracer, certificates, localServers }: RuntimeOptions) {
    this.log = log;
    this.resources = resources;
    this.hasMetrics = hasMetrics;
    this.tracer = tracer;
    this.connectionLimits = localServers === undefined ? connectionLimits() : sharedConnectionLimits();
    this.#name = name;
    this.#certificates = certificates;
    this.#localServers = localServers;
    this.#rpcMetrics = hasMetrics ? rpcMetrics(this.registry) : undefined;
    if (tracer !== undefined && hasMetrics) traceMetrics(this.registry, tracer);
  }

  /** Migrates the service's own database and opens a pool. */
  async openDatabase({ url, pool_size, migrations, outboxes = [] }: OwnDatabase): Promise<Pool> {
    const { log, registry, hasMetrics } = this;
    await migrate({ database_url: url, dir: migrations, log });
    const pool = openPool({ database_url: url, application_name: this.#name, max: pool_size, log });
    this.resources.add('database', () => pool.end());
    const counts = outboxCounts(pool, outboxes);
    this.jobs.countBy(counts);
    if (hasMetrics) {
      poolMetrics(registry, pool);
      if (outboxes.length > 0) outboxMetrics(registry, counts);
    }
    const watches = [
      ...(hasMetrics ? [queryMetrics(registry)] : []),
      ...(this.tracer === undefined ? [] : [querySpans(pool)]),
    ];
    if (watches.length > 0) watchQueries(pool, watches);
    return pool;
  }

  /** Shows a job in JobsService under this name, and closes it at the end. */
  addJob(name: string, job: Job & { close(): Promise<void> }): void {
    this.jobs.add(name, job);
    this.resources.add(name, () => job.close());
  }

  /** A batcher whose batches are counted under this name. */
  batcher<In, Out>(name: string, options: BatchOptions<In, Out>): (item: In) => Promise<Out> {
    return batcher({ ...options, name, watch: this.batchWatch(name) });
  }

  /** The watch of a batcher that is made elsewhere, under this name. Undefined if metrics are not served. */
  batchWatch(name: string): BatchWatch | undefined {
    if (!this.hasMetrics) return undefined;
    this.#batchMetrics ??= batchMetrics(this.registry);
    return this.#batchMetrics(name);
  }

  /** Connection options for the service with this name. */
  peer(name: string): PeerOptions {
    const certificates = this.#certificates;
    const servers = this.#localServers;
    return {
      log: this.log,
      metrics: this.#rpcMetrics,
      tls: certificates && { certificates, peer: name },
      local: servers && { servers, name: this.#name },
    };
  }

  /** Connects to every replica of a service. */
  connect<const D extends ServiceDefinition>(service: D, name: string, address: string): Connection<D> {
    const connection = connect(service, { address, ...this.peer(name) });
    this.resources.add(name, () => connection.close());
    return connection;
  }

  /** As `connect`, for callers that need only the methods. */
  client<const D extends ServiceDefinition>(service: D, name: string, address: string): Client<D> {
    return this.connect(service, name, address).client;
  }

  /** Its JobsService's answer, without a call. */
  ownJobs(): OwnJobs {
    return ownJobs(this.#name, this.jobs);
  }

  /** Serves gRPC, with the service's own JobsService. Returns the address. */
  async serve(
    address: string,
    implementations: readonly Implementation[],
    peers: PeerRules,
  ): Promise<string> {
    const certificates = this.#certificates;
    const servers = this.#localServers;
    const server = await serve({
      address,
      implementations: [...implementations, jobsImplementation(this.ownJobs())],
      log: this.log,
      metrics: this.#rpcMetrics,
      tracer: this.tracer,
      tls: certificates && { certificates, peers },
      local: servers && { servers, peers },
      max_connections: this.connectionLimits.peers,
    });
    this.resources.add('server', () => server.close());
    this.onDrain(server.stopServing);
    return server.address;
  }

  /** Serves /metrics, /livez and /readyz. */
  async serveOperations(address: string): Promise<void> {
    const { log, registry } = this;
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLES_MS });
    const isReady = async (): Promise<boolean> => !this.#draining && (await this.#isReady());
    processMetrics(registry, { isReady, certificates: this.#certificates });
    const server = await operationsServer(address, { registry, isReady });
    this.resources.add('metrics', () => server.close());
    log.info({ metrics: server.address }, 'metrics are served');
  }

  /** /readyz answers 503 while `isReady` returns false. */
  setReady(isReady: () => boolean | Promise<boolean>): void {
    this.#isReady = isReady;
  }

  /** Runs `action` at the start of shutdown, before anything is closed. */
  onDrain(action: () => void): void {
    this.#drainActions.push(action);
  }

  /** Whether shutdown has begun. */
  readonly isDraining = (): boolean => this.#draining;

  /** Begins shutdown: /readyz turns 503, and the drain actions run. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    for (const action of this.#drainActions) action();
  }
}
