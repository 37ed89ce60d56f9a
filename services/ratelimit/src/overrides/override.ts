/** Another limit for one identity (docs/rate-limits.md#overrides). */
export interface Override {
  /** As a charge names it. */
  readonly identity: string;
  /** The name of a row of the reference, no alias; undefined: all buckets. */
  readonly bucket: string | undefined;
  /** Undefined if it exempts: the identity is admitted without being counted. */
  readonly quota: Quota | undefined;
  readonly expires_at_ms: number;
  readonly operator: string;
  readonly reason: string;
}

export interface Quota {
  readonly limit: number;
  readonly window_seconds: number;
}

/** Maximum number of overrides that have not expired. */
export const MAX_OVERRIDES = 10_000;

/** An override's place in a list. */
export type Position = Pick<Override, 'expires_at_ms' | 'identity' | 'bucket'>;

/** Those that expire first at the front; a total order. */
export function byExpiry(a: Position, b: Position): number {
  return a.expires_at_ms - b.expires_at_ms || compare(a.identity, b.identity) || compare(a.bucket, b.bucket);
}

function compare(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
