import type { Store } from './check.ts';
import type { MicrosecondClock } from './clock.ts';
import type { Reference } from './reference.ts';

/** What the RPCs work with. */
export interface Deps {
  readonly reference: Reference;
  readonly store: Store;
  readonly now_us: MicrosecondClock;
  /** False: checks are read and judged for form, and all pass. */
  readonly enforced: boolean;
}
