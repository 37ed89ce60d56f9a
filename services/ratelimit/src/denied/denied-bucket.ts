import type { Bucket } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** Denials of one bucket in a time. Times are microseconds since the Unix epoch. */
export interface DeniedBucket {
  readonly bucket: Bucket;
  /** Undefined if the key has the identity itself. */
  readonly mark: Mark | undefined;
  denials: number;
  last_denied_us: number;
  denied_until_us: number;
}

/** A hashed identity. */
export interface Mark {
  readonly kind: string;
  readonly fingerprint: string;
}
