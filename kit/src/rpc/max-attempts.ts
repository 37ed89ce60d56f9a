import type { MethodDefinition } from './definition.ts';
import type { Replicas } from './replicas.ts';
import type { Unreachable } from './unreachable.ts';

/**
 * Maximum attempts for a call that was lost this way: one for every replica if it was never sent, two if it was sent and
 * the method is idempotent, else one.
 */
export function maxAttempts(
  { sent }: Unreachable,
  { options }: MethodDefinition,
  replicas: Replicas,
): number {
  if (sent) return options.idempotencyLevel === undefined ? 1 : 2;
  return Math.max(2, replicas.count);
}
