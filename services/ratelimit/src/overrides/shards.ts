import { hash } from 'node:crypto';
import type { Logger } from '@gatehouse/kit/log';
import type { Override } from './override.ts';
import type { OverrideTable } from './override-table.ts';
import type { Seal } from './seal.ts';
import type { SharedValue } from './shared-values.ts';

/** Overrides are in this many values, by their identity, so that a change writes a part of them. */
const COUNT = 64;
export const SHARD_NAMES: readonly string[] = Array.from({ length: COUNT }, (_, n) => String(n));

/** The name of the value that has an identity's overrides. */
export function shardOf(identity: string): string {
  return String((hash('sha256', identity, 'buffer')[0] ?? 0) % COUNT);
}

interface Shard {
  readonly bytes: Buffer | null;
  /** Undefined: it is sealed under another secret, or damaged. */
  readonly overrides: readonly Override[] | undefined;
}

const EMPTY: Shard = { bytes: null, overrides: [] };

/** The shared values with overrides, as this process has read them; it keeps the table equal to them. */
export class Shards {
  readonly #table: OverrideTable;
  readonly #seal: Seal;
  readonly #log: Logger;
  readonly #shards = new Map<string, Shard>();

  constructor(table: OverrideTable, seal: Seal, log: Logger) {
    this.#table = table;
    this.#seal = seal;
    this.#log = log;
  }

  /** Takes a value over. One that is not changed costs a comparison. */
  apply(name: string, bytes: Buffer | null): void {
    const before = this.#shards.get(name) ?? EMPTY;
    if (isEqual(before.bytes, bytes)) return;
    const overrides = bytes === null ? [] : this.#read(bytes);
    this.#shards.set(name, { bytes, overrides });
    for (const override of before.overrides ?? []) this.#table.delete(override);
    for (const override of overrides ?? []) this.#table.set(override);
  }

  /** The value of a shard with these overrides; null: none. */
  valueOf(overrides: readonly Override[]): SharedValue | null {
    if (overrides.length === 0) return null;
    const expires_at_ms = Math.max(...overrides.map((override) => override.expires_at_ms));
    return { bytes: this.#seal.seal(overrides), expires_at_ms };
  }

  /** Those of a shard, with the ones that have expired. */
  overridesOf(name: string): readonly Override[] {
    return this.#shards.get(name)?.overrides ?? [];
  }

  /** False: this process cannot write the shard without the loss of overrides. */
  isReadable(name: string): boolean {
    return (this.#shards.get(name) ?? EMPTY).overrides !== undefined;
  }

  #read(bytes: Buffer): readonly Override[] | undefined {
    const opened = this.#seal.open(bytes);
    if (Array.isArray(opened)) return opened as readonly Override[]; // a replica has sealed it
    this.#log.warn('overrides cannot be read: they are sealed under another RATELIMIT_KEY_SECRET');
    return undefined;
  }
}

export function isEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
