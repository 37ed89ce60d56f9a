import { randomUUID } from 'node:crypto';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { tooManyOverrides } from '../errors.ts';
import { MAX_OVERRIDES, type Override } from './override.ts';
import { OverrideTable } from './override-table.ts';
import type { Overrides } from './overrides.ts';

/** Overrides in this process's memory. They end by its monotonic clock. */
export class MemoryOverrides implements Overrides {
  readonly table: OverrideTable;
  readonly #now_us: MicrosecondClock;
  readonly #run = randomUUID();
  #changes = 0;

  constructor(now_us: MicrosecondClock) {
    this.#now_us = now_us;
    this.table = new OverrideTable(() => this.now_ms());
  }

  now_ms(): number {
    return this.#now_us() / 1000;
  }

  async list(): Promise<readonly Override[]> {
    return this.table.all();
  }

  async set(override: Override): Promise<Override | undefined> {
    const { identity, bucket } = override;
    this.table.purge();
    const before = this.table.get(identity, bucket);
    if (before === undefined && this.table.size >= MAX_OVERRIDES) throw tooManyOverrides();
    this.table.set(override);
    this.#changes++;
    return before;
  }

  async remove(identity: string, bucket: string | undefined): Promise<Override | undefined> {
    this.table.purge();
    const before = this.table.get(identity, bucket);
    if (before === undefined) return undefined;
    this.table.delete(before);
    this.#changes++;
    return before;
  }

  async announceReset(): Promise<void> {
    this.#changes++;
  }

  denialsVersion(): string {
    return `${this.#run} ${this.#changes} ${this.table.nextExpiry_ms()}`;
  }

  close(): void {
    // Nothing is open.
  }
}
