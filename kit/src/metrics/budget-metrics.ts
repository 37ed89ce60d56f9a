import type { Registry } from 'prom-client';
import type { FairBudget } from '../queues/fair-budget.ts';
import { valueMetrics } from './value-metrics.ts';

/** NAME_bytes: what `what` takes of budgets, such as "long answers"; and NAME_waiting: how many wait. */
export function budgetMetrics(
  registry: Registry,
  name: string,
  what: string,
  budgets: readonly FairBudget[],
): void {
  const { gauge } = valueMetrics(registry);
  const sum = (of: 'bytes' | 'waiting') => budgets.reduce((total, { taken }) => total + taken[of], 0);
  gauge(`${name}_bytes`, `Memory that they take: ${what}.`, () => sum('bytes'));
  gauge(`${name}_waiting`, `How many wait for memory: ${what}.`, () => sum('waiting'));
}
