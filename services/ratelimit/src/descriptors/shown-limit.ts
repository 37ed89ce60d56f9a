import type { UnitName } from './file/units.ts';

/** A limit, as answers show it. */
export interface ShownLimit {
  /** `name` of the rate_limit; empty without one. */
  readonly name: string;
  readonly requests_per_unit: number;
  readonly unit: UnitName;
  readonly unit_multiplier: number;
}
