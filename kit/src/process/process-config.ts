import type { EnvReader } from '../env.ts';
import { type CertificateFiles, readCertificateFiles } from '../rpc/tls/certificate-files.ts';
import { readTraceConfig, type TraceConfig } from '../trace/trace-config.ts';

/** The settings of every process. */
export interface ProcessConfig {
  readonly log_level: string;
  /** Mutual TLS between processes; undefined if off. */
  readonly rpc_tls: CertificateFiles | undefined;
  readonly metrics_listen: string | undefined;
  readonly drain_delay_ms: number;
  /** Where traces are sent; undefined if tracing is off. */
  readonly traces: TraceConfig | undefined;
}

/** @param addresses the names of the variables that hold gRPC addresses, of this process and of those that it calls */
export function readProcessConfig(read: EnvReader, addresses: readonly string[]): ProcessConfig {
  return {
    rpc_tls: readCertificateFiles(read, addresses),
    metrics_listen: read.optionalListenAddress('METRICS_LISTEN', {
      about: 'host:port of `GET /metrics`, `/livez` and `/readyz`, over plain HTTP',
      unset: 'nowhere',
      example: '127.0.0.1:9464',
    }),
    drain_delay_ms:
      read.integer('DRAIN_DELAY_SECONDS', {
        about:
          'seconds after SIGTERM in which a process is not ready but still takes work, so that load balancers stop using it; then it closes within 10 s',
        min: 0,
        max: 300,
        default: 0,
      }) * 1000,
    traces: readTraceConfig(read),
    log_level: read.choice('LOG_LEVEL', {
      about: 'the least severe log lines that are written',
      choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
    }),
  };
}
