import { Counter, type Registry } from 'prom-client';
import { DIALECTS, type Dialect, type Outcome, type Reason } from '../store/delivery.ts';

/** Counts an execution; one that posted a message has no reason. */
export type CountDelivery = (dialect: Dialect, outcome: Outcome | 'posted', reason: Reason | '') => void;

/** A counter of executions for Prometheus. Its labels are of closed sets: nothing of a request is among them. */
export function deliveryCounter(registry: Registry): CountDelivery {
  const counter = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Executions of webhooks with the right token, by what came of them and why',
    labelNames: ['dialect', 'outcome', 'reason'],
    registers: [registry],
  });
  for (const dialect of DIALECTS) counter.inc({ dialect, outcome: 'posted', reason: '' }, 0);
  return (dialect, outcome, reason) => counter.inc({ dialect, outcome, reason });
}
