import type { BenchOptions } from '../bench.ts';
import { checksByLink } from './checks-by-link.ts';
import { identifyAndLimit } from './identify-and-limit.ts';

/**
 * The cost of a request's check at ratelimit: bytes, frames, allocations and processor time of the call, by link; and the
 * time that a request saves if its caller is identified meanwhile.
 */
export async function check(options: BenchOptions): Promise<undefined> {
  await checksByLink(options);
  await identifyAndLimit(options);
}
