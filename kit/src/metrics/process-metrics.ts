import { Gauge, type Registry } from 'prom-client';
import { valueMetrics } from './value-metrics.ts';

export interface ProcessMetricsOptions {
  /** What /readyz says. */
  readonly isReady: () => Promise<boolean>;
  /** Of mutual TLS, where it is on. */
  readonly certificates?: { validUntil(): Date } | undefined;
}

/** What every process says of itself. */
export function processMetrics(registry: Registry, { isReady, certificates }: ProcessMetricsOptions): void {
  new Gauge({
    name: 'process_ready',
    help: '1 while /readyz says ready, 0 otherwise',
    registers: [registry],
    async collect() {
      this.set(Number(await isReady()));
    },
  });
  if (certificates === undefined) return;
  valueMetrics(registry).gauge(
    'rpc_certificate_expires_timestamp_seconds',
    'When the certificate of mutual TLS expires, in seconds since 1970.',
    () => certificates.validUntil().getTime() / 1000,
  );
}
