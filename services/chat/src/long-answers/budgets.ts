import { FairBudget } from '@gatehouse/kit/fair-budget';

/**
 * Each kind has a budget of its own, so that none waits for another: pages of what is many, what has all of a guild, and
 * changes that write all of it.
 */
export type AnswerKind = 'page' | 'guild' | 'written_guild';
export type LongAnswers = Readonly<Record<AnswerKind, FairBudget>>;

const MiB = 1024 * 1024;

/**
 * The budgets of long answers (docs/security.md#long-answers). They are made by some of the pool's connections at most, so
 * that the others are free for whatever is short.
 */
export function longAnswers(pool_size: number): LongAnswers {
  const at_once = Math.max(1, Math.floor(pool_size / 4));
  const budget = (max_bytes: number) =>
    new FairBudget({
      max_bytes,
      max_bytes_per_key: max_bytes / 2,
      at_once,
      at_once_per_key: at_once,
      max_waiting: 512,
      max_waiting_per_key: 64,
      wait_ms: 5_000,
    });
  return { page: budget(16 * MiB), guild: budget(32 * MiB), written_guild: budget(16 * MiB) };
}
