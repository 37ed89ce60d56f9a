import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import { Counter, Gauge, Histogram, type Registry as Prometheus } from 'prom-client';
import type { GatewayServer } from './connections/gateway-server.ts';
import type { OpenSessions } from './open-sessions.ts';
import type { SessionCounts } from './sessions/session-handler.ts';

/** Counters, observed as things happen. */
export interface Counts extends SessionCounts {
  /** An event written at this time, ISO 8601, was delivered. */
  delivered(created_at: string): void;
  transferred(sessions: number): void;
}

export function realtimeCounts(prometheus: Prometheus): Counts {
  const registers = [prometheus];
  const identifies = new Counter({
    name: 'realtime_identifies_total',
    help: 'Identifies by outcome: ready, failed (another service did not answer), refused.',
    labelNames: ['outcome'],
    registers,
  });
  const resumes = new Counter({
    name: 'realtime_resumes_total',
    help: 'Resumes by outcome: resumed, invalid.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'realtime_delivery_lag_seconds',
    help: 'Time from writing an event to sending it to sessions.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const transferred = new Counter({
    name: 'realtime_handed_over_total',
    help: 'Sessions transferred to another replica.',
    registers,
  });
  for (const outcome of ['ready', 'failed', 'refused']) identifies.inc({ outcome }, 0);
  for (const outcome of ['resumed', 'invalid']) resumes.inc({ outcome }, 0);
  return {
    identified: (outcome) => identifies.inc({ outcome }),
    resumed: (outcome) => resumes.inc({ outcome }),
    delivered: (created_at) => lag.observe(Math.max(0, Date.now() - Date.parse(created_at)) / 1000),
    transferred: (sessions) => transferred.inc(sessions),
  };
}

export interface MeasuredParts
  extends Pick<
    OpenSessions,
    'registry' | 'world' | 'kept' | 'stateBudget' | 'readyBudget' | 'authLog' | 'chatLog'
  > {
  readonly connections: Pick<GatewayServer, 'state'>;
}

/** Gauges and counters whose values are read on a scrape. */
export function realtimeMetrics(
  prometheus: Prometheus,
  { registry, world, connections, kept, stateBudget, readyBudget, authLog, chatLog }: MeasuredParts,
): void {
  const { gauge, counter } = valueMetrics(prometheus);
  gauge('realtime_connections', 'Connections of clients.', () => connections.state().connections);
  gauge(
    'realtime_waiting_bytes',
    'Bytes that clients have not read yet.',
    () => connections.state().waiting_bytes,
  );
  gauge('realtime_kept_bytes', 'Bytes of dispatches kept for resumes.', () => kept.bytes());
  gauge('realtime_state_bytes', 'Estimated bytes of guilds and accounts in memory.', () =>
    stateBudget.bytes(),
  );
  gauge('realtime_ready_bytes', 'Estimated bytes of READYs that are made and sent now.', () =>
    readyBudget.bytes(),
  );
  counter(
    'realtime_dispatches_total',
    'Events sent, counted per session.',
    () => connections.state().dispatches,
  );
  counter(
    'realtime_slow_readers_total',
    'Connections that ended because their clients did not read.',
    () => connections.state().slow_readers,
  );
  counter('realtime_events_total', 'Events of the log that concerned sessions of this replica.', () =>
    chatLog.applied(),
  );
  gauge('realtime_guilds', 'Guilds in memory.', () => world.size().guilds);
  gauge('realtime_accounts', 'Accounts in memory.', () => world.size().accounts);
  labelled(prometheus, 'realtime_sessions', 'Sessions by connection state.', 'state', () => [
    ['connected', registry.connected()],
    ['disconnected', registry.count() - registry.connected()],
  ]);
  labelled(
    prometheus,
    'realtime_log_age_seconds',
    'Time since the last response of an event log.',
    'log',
    () => [
      ['chat', chatLog.age_ms() / 1000],
      ['auth', authLog.age_ms() / 1000],
    ],
  );
  new Counter({
    name: 'realtime_closes_total',
    help: "Ended connections by close code: this process's, or else the client's; 1006 without one.",
    labelNames: ['code'],
    registers: [prometheus],
    collect() {
      this.reset();
      for (const [code, times] of connections.state().closed) this.inc({ code: String(code) }, times);
    },
  });
}

function labelled(
  prometheus: Prometheus,
  name: string,
  help: string,
  label: string,
  values: () => readonly (readonly [string, number])[],
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [prometheus],
    collect() {
      for (const [of, value] of values()) this.set({ [label]: of }, value);
    },
  });
}
