import { Gauge, type Registry } from 'prom-client';
import { VERSION } from '../version.ts';
import { valueMetrics } from './value-metrics.ts';

export interface ProcessMetricsOptions {
  /** The check behind /readyz. */
  readonly isReady: () => Promise<boolean>;
  /** Defined if mutual TLS is on. */
  readonly certificates?: { validUntil(): Date } | undefined;
}

/** Adds the metrics that every process has. */
export function processMetrics(registry: Registry, { isReady, certificates }: ProcessMetricsOptions): void {
  new Gauge({
    name: 'process_ready',
    help: '1 while /readyz answers 200, 0 otherwise',
    registers: [registry],
    async collect() {
      this.set(Number(await isReady()));
    },
  });
  new Gauge({
    name: 'gatehouse_info',
    help: '1, with the version of the release',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  if (certificates === undefined) return;
  valueMetrics(registry).gauge(
    'rpc_certificate_expires_timestamp_seconds',
    'Expiry of the mutual TLS certificate, in seconds since the Unix epoch.',
    () => certificates.validUntil().getTime() / 1000,
  );
}
