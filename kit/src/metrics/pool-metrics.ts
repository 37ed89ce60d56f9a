import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { valueMetrics } from './value-metrics.ts';

/** Adds the connections of a pool, and the queries that wait for one. */
export function poolMetrics(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections to the database, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  const { gauge } = valueMetrics(registry);
  gauge('db_pool_waiting', 'Queries waiting for a connection.', () => pool.waitingCount);
  gauge('db_pool_max', 'The largest number of connections.', () => pool.options.max);
}
