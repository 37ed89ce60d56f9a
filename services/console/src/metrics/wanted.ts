/** The metrics that the console reads (docs/telemetry.md#metrics). */
export const REQUESTS = 'http_server_request_duration_seconds';
export const DENIALS = 'gateway_limit_denials_total';
export const WEBHOOK_EXECUTIONS = 'webhook_deliveries_total';
export const EVENT_LAG = 'realtime_delivery_lag_seconds';
export const CLOSES = 'realtime_closes_total';
export const RESUMES = 'realtime_resumes_total';
export const SLOW_READERS = 'realtime_slow_readers_total';
export const CONNECTIONS = 'realtime_connections';
export const SESSIONS = 'realtime_sessions';
export const POOL_CONNECTIONS = 'db_pool_connections';
export const POOL_WAITING = 'db_pool_waiting';
export const POOL_MAX = 'db_pool_max';
export const OUTBOX_WAITING = 'outbox_waiting';
export const INFO = 'gatehouse_info';
export const STARTED_SECONDS = 'process_start_time_seconds';

const COUNTERS = [
  `${REQUESTS}_bucket`,
  `${REQUESTS}_count`,
  DENIALS,
  WEBHOOK_EXECUTIONS,
  `${EVENT_LAG}_bucket`,
] as const;

const VALUES = [
  CLOSES,
  RESUMES,
  SLOW_READERS,
  CONNECTIONS,
  SESSIONS,
  POOL_CONNECTIONS,
  POOL_WAITING,
  POOL_MAX,
  OUTBOX_WAITING,
  INFO,
  STARTED_SECONDS,
] as const;

/** Counters of which the growth counts. */
export const GROWING: ReadonlySet<string> = new Set(COUNTERS);
export const WANTED: ReadonlySet<string> = new Set([...COUNTERS, ...VALUES]);
