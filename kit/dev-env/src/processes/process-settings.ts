import type { ProcessConfig } from '@gatehouse/kit/process/process-config';

/** The process settings of a service that a test starts. */
export const PROCESS_SETTINGS: ProcessConfig = {
  log_level: 'silent',
  rpc_tls: undefined,
  metrics_listen: undefined,
  traces: undefined,
  drain_delay_ms: 0,
};
