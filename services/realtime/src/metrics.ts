import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import { Counter, Gauge, Histogram, type Registry as Prometheus } from 'prom-client';
import type { GatewayServer } from './connections/gateway-server.ts';
import type { Registry } from './sessions/registry.ts';
import type { SessionCounts } from './sessions/sessions.ts';
import type { World } from './world/world.ts';

/** What is counted as it happens. */
export interface Counts extends SessionCounts {
  /** An event has been told that was written then, ISO 8601. */
  delivered(created_at: string): void;
  handedOver(sessions: number): void;
}

export function realtimeCounts(prometheus: Prometheus): Counts {
  const registers = [prometheus];
  const identifies = new Counter({
    name: 'realtime_identifies_total',
    help: 'Identifies, by what became of them: ready, failed (another service did not answer), refused.',
    labelNames: ['outcome'],
    registers,
  });
  const resumes = new Counter({
    name: 'realtime_resumes_total',
    help: 'Resumes, by what became of them: resumed, invalid.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'realtime_delivery_lag_seconds',
    help: 'From when an event was written until sessions were told of it.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const handedOver = new Counter({
    name: 'realtime_handed_over_total',
    help: 'Sessions that were given to another replica.',
    registers,
  });
  for (const outcome of ['ready', 'failed', 'refused']) identifies.inc({ outcome }, 0);
  for (const outcome of ['resumed', 'invalid']) resumes.inc({ outcome }, 0);
  return {
    identified: (outcome) => identifies.inc({ outcome }),
    resumed: (outcome) => resumes.inc({ outcome }),
    delivered: (created_at) => lag.observe(Math.max(0, Date.now() - Date.parse(created_at)) / 1000),
    handedOver: (sessions) => handedOver.inc(sessions),
  };
}

export interface Measured {
  readonly registry: Pick<Registry, 'count' | 'connected'>;
  readonly world: Pick<World<unknown>, 'size'>;
  readonly connections: Pick<GatewayServer, 'state'>;
  /** Of events that are kept as they were sent. */
  readonly kept_bytes: () => number;
  /** Of guilds and accounts. */
  readonly state_bytes: () => number;
  /** Of READYs that are being made and sent. */
  readonly ready_bytes: () => number;
  /** How many events were applied. */
  readonly applied: () => number;
  readonly ages_ms: { readonly chat: () => number; readonly auth: () => number };
}

/** What is read when it is asked for. */
export function realtimeMetrics(
  prometheus: Prometheus,
  { registry, world, connections, kept_bytes, state_bytes, ready_bytes, applied, ages_ms }: Measured,
): void {
  const { gauge, counter } = valueMetrics(prometheus);
  gauge('realtime_connections', 'Connections of clients.', () => connections.state().connections);
  gauge(
    'realtime_waiting_bytes',
    'Bytes that clients have not taken yet.',
    () => connections.state().waiting_bytes,
  );
  gauge('realtime_kept_bytes', 'Bytes of events that are kept for resumes as they were sent.', kept_bytes);
  gauge('realtime_state_bytes', 'About the bytes of guilds and accounts that are kept.', state_bytes);
  gauge('realtime_ready_bytes', 'About the bytes of READYs that are being made and sent.', ready_bytes);
  counter(
    'realtime_dispatches_total',
    'Events that were sent, each to one session.',
    () => connections.state().dispatches,
  );
  counter('realtime_events_total', 'Events of the log that concerned sessions here.', applied);
  gauge('realtime_guilds', 'Guilds whose state is kept.', () => world.size().guilds);
  gauge('realtime_accounts', 'Accounts whose state is kept.', () => world.size().accounts);
  labelled(prometheus, 'realtime_sessions', 'Sessions, by whether they have a connection.', 'state', () => [
    ['connected', registry.connected()],
    ['disconnected', registry.count() - registry.connected()],
  ]);
  labelled(prometheus, 'realtime_log_age_seconds', 'How long ago an event log was heard of.', 'log', () => [
    ['chat', ages_ms.chat() / 1000],
    ['auth', ages_ms.auth() / 1000],
  ]);
  new Counter({
    name: 'realtime_closes_total',
    help: 'Connections that ended, by the close code of this process, or else of the client; 1006: none.',
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
