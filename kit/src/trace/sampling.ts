import type { Parent } from './traceparent.ts';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

export interface Sampling {
  readonly sampler: SamplerName;
  /** The ratio, 0 to 1, for samplers that have one. */
  readonly ratio: number;
}

/**
 * Makes the function that decides whether a request is sampled.
 *
 * @returns a function that gets the remote parent only if it is trusted. The ratio uses a random number and not the
 * trace ID, which a client may choose.
 */
export function requestSampler({ sampler, ratio }: Sampling): (trustedParent: Parent | undefined) => boolean {
  const [kind, isParentBased] = sampler.startsWith(PARENT_BASED)
    ? [sampler.slice(PARENT_BASED.length), true]
    : [sampler, false];
  const chance = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : ratio;
  return (trustedParent) =>
    isParentBased && trustedParent !== undefined ? trustedParent.sampled : Math.random() < chance;
}

const PARENT_BASED = 'parentbased_';
