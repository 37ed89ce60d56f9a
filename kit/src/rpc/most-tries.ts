import type { MethodDefinition } from './definition.ts';
import type { Replicas } from './replicas.ts';
import type { Unreachable } from './unreachable.ts';

/** How often a call is made at most, that was lost in this way. */
export function mostTries({ sent }: Unreachable, { options }: MethodDefinition, peers: Replicas): number {
  if (sent) return options.idempotencyLevel === undefined ? 1 : 2;
  return Math.max(2, peers.count());
}
