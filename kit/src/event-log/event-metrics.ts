import type { Registry } from 'prom-client';
import { valueMetrics } from '../metrics/value-metrics.ts';
import type { LoggedEvent } from './event-table.ts';
import type { EventTail } from './event-tail.ts';

/** Adds metrics of the tail of a service's event log. Their names begin with the service's. */
export function eventMetrics(
  registry: Registry,
  service: string,
  { state }: Pick<EventTail<LoggedEvent>, 'state'>,
): void {
  const { gauge, counter } = valueMetrics(registry);
  gauge(
    `${service}_event_readers`,
    'Open streams of events, by readers of this process.',
    () => state().readers,
  );
  gauge(
    `${service}_event_tail_age_seconds`,
    'Time since the last successful poll of the event log; 0 without readers.',
    () => state().age_ms / 1000,
  );
  gauge(
    `${service}_event_tail_listening`,
    'Whether this process listens for announcements of events: 1, or 0.',
    () => (state().is_listening ? 1 : 0),
  );
  counter(`${service}_event_polls_total`, 'Polls of the event log.', () => state().polls);
  counter(`${service}_events_followed_total`, 'Events found by polling the event log.', () => state().found);
}
