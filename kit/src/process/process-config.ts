import type { EnvReader } from '../env.ts';
import { type CertificateFiles, readCertificateFiles } from '../rpc/tls/certificate-files.ts';
import { readTraceConfig, type TraceConfig } from '../trace/trace-config.ts';

/** The settings of every process. */
export interface ProcessConfig {
  readonly log_level: string;
  /** Mutual TLS between processes; undefined if off. */
  readonly rpc_tls: CertificateFiles | undefined;
  /** host:port for /metrics, /livez and /readyz; undefined if not served. */
  readonly metrics_listen: string | undefined;
  /** How long the process reports that it is not ready, but still takes work, before it closes. */
  readonly drain_delay_ms: number;
  /** Where traces are sent; undefined if tracing is off. */
  readonly traces: TraceConfig | undefined;
}

/** @param addresses the names of the variables with the addresses that gRPC is served at and called at */
export function readProcessConfig(read: EnvReader, addresses: readonly string[]): ProcessConfig {
  return {
    rpc_tls: readCertificateFiles(read, addresses),
    metrics_listen: read.listenAddress('METRICS_LISTEN', '') || undefined,
    drain_delay_ms: read.integer('DRAIN_DELAY_SECONDS', { min: 0, max: 300, default: 0 }) * 1000,
    traces: readTraceConfig(read),
    log_level: read.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
}
