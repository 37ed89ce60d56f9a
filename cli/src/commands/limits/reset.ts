import { act } from '../../console/act.ts';
import { listOf } from '../../json/members.ts';
import { factOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

export interface ResetOptions {
  readonly bucket?: string;
  readonly reason: string;
  readonly json?: boolean;
}

/** Empties buckets of an identity. */
export function reset(identity: string, options: ResetOptions, runtime: Runtime): Promise<void> {
  const { bucket, reason } = options;
  const body = { identity, bucket, reason };
  return act({ method: 'POST', path: '/limits/reset', body, done: doneText }, options, runtime);

  function doneText(answer: unknown): string {
    const count = listOf(answer, 'before').length;
    const counted = factOf(answer, 'identity') ?? identity;
    return count === 0
      ? `No bucket of ${counted} had a level.`
      : `${count === 1 ? '1 bucket' : `${count} buckets`} of ${counted} ${count === 1 ? 'is' : 'are'} empty now.`;
  }
}
