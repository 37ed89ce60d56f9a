import type { Row } from './dashboard.ts';
import { rate } from './queries.ts';

/**
 * The resources of every process.
 * @param of the labels that select the processes
 */
export function processRow(of: string): Row {
  const name = '{{job}} {{instance}}';
  return {
    title: 'Processes',
    panels: [
      { title: 'Ready', unit: 'short', queries: [[`process_ready{${of}}`, name]] },
      {
        title: 'CPU',
        description: '1 is one core.',
        unit: 'short',
        queries: [[rate(`process_cpu_seconds_total{${of}}`), name]],
      },
      { title: 'Memory', unit: 'bytes', queries: [[`process_resident_memory_bytes{${of}}`, name]] },
      {
        title: 'Event-loop delay',
        description: 'p99 since the last scrape.',
        unit: 's',
        queries: [[`nodejs_eventloop_lag_p99_seconds{${of}}`, name]],
      },
      {
        title: 'Garbage collection',
        description: 'Seconds per second.',
        unit: 'percentunit',
        queries: [[`sum by (job, instance) (${rate(`nodejs_gc_duration_seconds_sum{${of}}`)})`, name]],
      },
      { title: 'File descriptors', unit: 'short', queries: [[`process_open_fds{${of}}`, name]] },
    ],
  };
}
