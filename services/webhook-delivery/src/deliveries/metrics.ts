import { Counter, type Registry } from 'prom-client';
import { DIALECTS, type Dialect, type Outcome, type Reason } from '../store/delivery.ts';

/** Counts an execution. A posted one has no reason. */
export type CountExecution = (dialect: Dialect, outcome: Outcome | 'posted', reason: Reason | '') => void;

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
