import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import type { Registry } from 'prom-client';
import type { EventTail } from './event-tail.ts';

/** How this process follows the event log. */
export function eventMetrics(registry: Registry, { state }: Pick<EventTail, 'state'>): void {
  const { gauge, counter } = valueMetrics(registry);
  gauge('chat_event_readers', 'Streams of events that are read from this process.', () => state().readers);
  gauge(
    'chat_event_tail_age_seconds',
    'How long ago the end of the event log was read last; 0 while nobody reads events.',
    () => state().age_ms / 1000,
  );
  counter('chat_events_followed_total', 'Events that were found at the end of the log.', () => state().found);
}
