import type { Registry } from 'prom-client';
import type { FairBudget } from '../queues/fair-budget.ts';
import { valueMetrics } from './value-metrics.ts';

/**
 * Adds NAME_bytes, the memory taken from budgets for `what`, such as "long answers", and NAME_waiting, the queue
 * length.
 */
export function budgetMetrics(
  registry: Registry,
  name: string,
  what: string,
  budgets: readonly FairBudget[],
): void {
  const { gauge } = valueMetrics(registry);
  const sum = (of: 'bytes' | 'waiting') => budgets.reduce((total, { taken }) => total + taken[of], 0);
  gauge(`${name}_bytes`, `Memory taken: ${what}.`, () => sum('bytes'));
  gauge(`${name}_waiting`, `Waiting for memory: ${what}.`, () => sum('waiting'));
}
