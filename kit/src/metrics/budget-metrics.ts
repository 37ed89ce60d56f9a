import type { Registry } from 'prom-client';
import type { FairBudget } from '../fair-budget.ts';
import { valueMetrics } from './value-metrics.ts';

/** NAME_bytes: what `what` takes of a budget, such as "answers that are made"; and NAME_waiting: how many wait. */
export function budgetMetrics(registry: Registry, name: string, what: string, budget: FairBudget): void {
  const { gauge } = valueMetrics(registry);
  gauge(`${name}_bytes`, `Memory that they take: ${what}.`, () => budget.taken.bytes);
  gauge(`${name}_waiting`, `How many wait for memory: ${what}.`, () => budget.taken.waiting);
}
