import { type Clock, systemClock } from './clock.ts';

/** 2015-01-01T00:00:00Z, the epoch of all IDs (docs/conventions.md#ids). */
export const SNOWFLAKE_EPOCH_MS = 1_420_070_400_000;
const MAX_SNOWFLAKE = 2n ** 63n - 1n;
const MAX_SEQUENCE = 4095;

export interface SnowflakeOptions {
  /** 0-1023, unique among the processes that make IDs of one kind. */
  readonly worker: number;
  readonly clock?: Clock;
  /** All IDs have later times than this, in milliseconds since the Unix epoch. */
  readonly after_ms?: number;
}

/**
 * Makes a generator of IDs: 41 bits of milliseconds, 10 of worker, 12 of sequence. IDs of one generator only grow: if
 * the clock steps back, or 4,096 IDs were made in a millisecond, it continues from the last millisecond it used.
 */
export function snowflakes({ worker, clock = systemClock, after_ms = 0 }: SnowflakeOptions): () => string {
  if (!Number.isInteger(worker) || worker < 0 || worker > 1023) {
    throw new RangeError(`worker must be 0-1023, not ${worker}`);
  }
  const workerBits = BigInt(worker) << 12n;
  let lastMs = Math.max(0, after_ms - SNOWFLAKE_EPOCH_MS);
  let sequence = after_ms > 0 ? MAX_SEQUENCE : 0;
  return () => {
    const nowMs = clock() - SNOWFLAKE_EPOCH_MS;
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = 0;
    } else if (sequence < MAX_SEQUENCE) {
      sequence++;
    } else {
      lastMs++;
      sequence = 0;
    }
    return String((BigInt(lastMs) << 22n) | workerBits | BigInt(sequence));
  };
}

/** The time of an ID, in milliseconds since the Unix epoch. */
export function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS;
}

/** Whether text is an ID: `0` or `[1-9][0-9]{0,18}`, at most 2^63-1. */
export function isSnowflake(text: string): boolean {
  if (!/^(?:0|[1-9][0-9]{0,18})$/.test(text)) return false;
  return text.length < 19 || BigInt(text) <= MAX_SNOWFLAKE;
}
