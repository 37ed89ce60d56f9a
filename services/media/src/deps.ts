import type { Concurrency } from '@gatehouse/kit/queues/concurrency';
import type { Pool } from 'pg';
import type { Decode } from './decoding/decode-in-turn.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  readonly decode: Decode;
  /** The turns of reads: some connections to the database stay for what is stored and kept. */
  readonly readInTurn: Concurrency;
}
