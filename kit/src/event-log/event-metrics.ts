import type { Registry } from 'prom-client';
import { valueMetrics } from '../metrics/value-metrics.ts';
import type { LoggedEvent } from './event-table.ts';
import type { EventTail } from './event-tail.ts';

/** How this process follows the event log of its service, whose name these begin with. */
export function eventMetrics(
  registry: Registry,
  service: string,
  { state }: Pick<EventTail<LoggedEvent>, 'state'>,
): void {
  const { gauge, counter } = valueMetrics(registry);
  gauge(
    `${service}_event_readers`,
    'Streams of events that are read from this process.',
    () => state().readers,
  );
  gauge(
    `${service}_event_tail_age_seconds`,
    'How long ago the end of the event log was read last; 0 while nobody reads events.',
    () => state().age_ms / 1000,
  );
  counter(
    `${service}_events_followed_total`,
    'Events that were found at the end of the log.',
    () => state().found,
  );
}
