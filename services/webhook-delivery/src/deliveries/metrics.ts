import { Counter, type Registry } from 'prom-client';
import { DIALECTS, type Dialect, type Outcome, type Reason } from '../store/delivery.ts';

/** Counts an execution. A posted one has no reason. */
export type CountExecution = (dialect: Dialect, outcome: Outcome | 'posted', reason: Reason | '') => void;

/** Counts deliveries and payloads that were not stored because the database was too slow or away. */
export type CountLost = (what: 'delivery' | 'payload', count: number) => void;

export function lostCounter(registry: Registry): CountLost {
  const counter = new Counter({
    name: 'webhook_deliveries_lost_total',
    help: 'Deliveries and payloads that were not stored because the database was too slow or away',
    labelNames: ['what'],
    registers: [registry],
  });
  for (const what of ['delivery', 'payload']) counter.inc({ what }, 0);
  return (what, count) => counter.inc({ what }, count);
}

/** The Prometheus counter of executions. All labels have a fixed set of values, none from a request. */
export function executionCounter(registry: Registry): CountExecution {
  const counter = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Executions of webhooks with the right token, by outcome and reason',
    labelNames: ['dialect', 'outcome', 'reason'],
    registers: [registry],
  });
  for (const dialect of DIALECTS) counter.inc({ dialect, outcome: 'posted', reason: '' }, 0);
  return (dialect, outcome, reason) => counter.inc({ dialect, outcome, reason });
}
