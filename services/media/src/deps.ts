import type { Concurrency } from '@gatehouse/kit/queues/concurrency';
import type { Pool } from 'pg';
import type { Decode } from './decoding/limit-decoding.ts';

/** The dependencies of the RPCs, made by `start`. */
export interface Deps {
  readonly db: Pool;
  readonly decode: Decode;
  /** Limits concurrent reads, which keeps some database connections free for writes. */
  readonly limitReads: Concurrency;
}
