import { longAnswerBudget } from '@gatehouse/kit/long-answers';
import type { FairBudget } from '@gatehouse/kit/queues/fair-budget';

/**
 * Each kind has its own budget, so that none waits for another: pages of lists, answers with a whole guild, and changes
 * of a whole guild.
 */
export type AnswerKind = 'page' | 'guild' | 'written_guild';
export type AnswerBudgets = Readonly<Record<AnswerKind, FairBudget>>;

const MiB = 1024 * 1024;

/** The budgets of long answers (docs/security.md#long-answers). */
export function answerBudgets(pool_size: number): AnswerBudgets {
  const budget = (max_bytes: number) => longAnswerBudget(max_bytes, pool_size);
  return { page: budget(40 * MiB), guild: budget(32 * MiB), written_guild: budget(16 * MiB) };
}
