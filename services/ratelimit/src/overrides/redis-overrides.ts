import { randomUUID } from 'node:crypto';
import type { Logger } from '@gatehouse/kit/log';
import { storeUnavailable, tooManyOverrides, unreadableOverrides } from '../errors.ts';
import { MAX_OVERRIDES, type Override } from './override.ts';
import { OverrideTable } from './override-table.ts';
import type { IdentityReset, Overrides } from './overrides.ts';
import { ResetLog } from './reset-log.ts';
import type { Seal } from './seal.ts';
import { SHARD_NAMES, Shards, shardOf } from './shards.ts';
import type { SharedValues } from './shared-values.ts';
import { StoreClock } from './store-clock.ts';

export interface RedisOverridesOptions {
  readonly values: SharedValues;
  readonly seal: Seal;
  /** Called after a change of overrides, and after a reset by any replica. */
  readonly onChange: () => void;
  /** Empties the buckets of a reset that another replica has announced. */
  readonly reset: (reset: IdentityReset) => Promise<void>;
  readonly log: Logger;
}

/** Changes with every change of overrides. */
const VERSION = 'version';
const RESETS = 'resets';
const POLL_MS = 250;
/** Longer than any override. */
const VERSION_LIVES_MS = 400 * 86_400_000;
const RESETS_LIVE_MS = 3_600_000;
/** An attempt fails only if another replica's has succeeded meanwhile. */
const MAX_ATTEMPTS = 100;

/**
 * Overrides that all replicas share. A change is made in one step, by comparison with the version that this process has read,
 * so none is lost. Each replica has a copy for its checks, and looks four times a second whether the version has changed. While
 * the store does not answer, the copy holds.
 */
export class RedisOverrides implements Overrides {
  readonly table: OverrideTable;
  readonly #options: RedisOverridesOptions;
  readonly #clock = new StoreClock();
  readonly #shards: Shards;
  readonly #resets: ResetLog;
  #version: string | undefined;
  /** The work in the store, one after the other: an older answer never replaces a newer one. */
  #work: Promise<unknown> = Promise.resolve();
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisOverridesOptions) {
    this.#options = options;
    this.table = new OverrideTable(() => this.now_ms());
    this.#shards = new Shards(this.table, options.seal, options.log);
    this.#resets = new ResetLog(options.seal);
  }

  /** Reads the overrides, if the store answers, and follows them. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), POLL_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  now_ms(): number {
    return this.#clock.now_ms();
  }

  denialsVersion(): string | undefined {
    if (this.#version === undefined) return undefined;
    return `${this.#version} ${this.#resets.lastId()} ${this.table.nextExpiry_ms()}`;
  }

  list(): Promise<readonly Override[]> {
    return this.#inTurn(async () => {
      await this.#refresh();
      return this.table.all();
    });
  }

  set(override: Override): Promise<Override | undefined> {
    const { identity, bucket } = override;
    return this.#change(identity, bucket, (others, before) => {
      if (before === undefined && this.table.all().length >= MAX_OVERRIDES) throw tooManyOverrides();
      return [...others, override];
    });
  }

  remove(identity: string, bucket: string | undefined): Promise<Override | undefined> {
    return this.#change(identity, bucket, (others, before) => (before === undefined ? undefined : others));
  }

  announceReset(reset: IdentityReset): Promise<void> {
    return this.#inTurn(() =>
      this.#attempt(async () => {
        const next = this.#resets.with(reset);
        const expires_at_ms = this.now_ms() + RESETS_LIVE_MS;
        const expected = this.#resets.bytes;
        const { values } = this.#options;
        if (!(await values.swap({ guard: RESETS, expected, next: { bytes: next, expires_at_ms } })))
          return false;
        this.#resets.apply(next);
        this.#options.onChange();
        return true;
      }),
    );
  }

  /** @param edit the shard's overrides after the change, of the others in it; undefined: no change */
  #change(
    identity: string,
    bucket: string | undefined,
    edit: (others: readonly Override[], before: Override | undefined) => readonly Override[] | undefined,
  ): Promise<Override | undefined> {
    return this.#inTurn(async () => {
      let before: Override | undefined;
      await this.#attempt(async () => {
        before = this.table.get(identity, bucket);
        const shard = shardOf(identity);
        if (!this.#shards.isReadable(shard)) throw unreadableOverrides();
        const others = this.#shards
          .overridesOf(shard)
          .filter((other) => other.expires_at_ms > this.now_ms())
          .filter((other) => other.identity !== identity || other.bucket !== bucket);
        const after = edit(others, before);
        return after === undefined || (await this.#write(shard, after));
      });
      return before;
    });
  }

  async #write(shard: string, overrides: readonly Override[]): Promise<boolean> {
    const version = randomUUID();
    const value = this.#shards.valueOf(overrides);
    const written = await this.#options.values.swap({
      guard: VERSION,
      expected: Buffer.from(this.#version ?? ''),
      next: { bytes: Buffer.from(version), expires_at_ms: this.now_ms() + VERSION_LIVES_MS },
      also: { name: shard, value },
    });
    if (!written) return false;
    this.#version = version;
    this.#shards.apply(shard, value?.bytes ?? null);
    this.#options.onChange();
    return true;
  }

  /** Repeats a change under the newest values until no other replica's comes first. */
  async #attempt(change: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.#refresh();
      if (await change()) return;
    }
    throw storeUnavailable(new Error('other replicas change overrides all the time'));
  }

  async #refresh(): Promise<void> {
    const [version = null, resets = null] = await this.#read([VERSION, RESETS]);
    await this.#followResets(resets);
    if (textOf(version) === this.#version) return;
    const [loaded = null, ...shards] = await this.#read([VERSION, ...SHARD_NAMES]);
    const isFirst = this.#version === undefined;
    this.#version = textOf(loaded);
    for (const [index, name] of SHARD_NAMES.entries()) this.#shards.apply(name, shards[index] ?? null);
    if (!isFirst || this.table.size > 0) this.#options.onChange();
  }

  /** Makes each reset once. If one fails, it and the rest are made at a later look. */
  async #followResets(bytes: Buffer | null): Promise<void> {
    const resets = this.#resets.newIn(bytes);
    for (const reset of resets) {
      await this.#options.reset(reset);
      this.#resets.note(reset);
    }
    this.#resets.apply(bytes);
    if (resets.length > 0) this.#options.onChange();
  }

  async #read(names: readonly string[]): Promise<readonly (Buffer | null)[]> {
    const asked_ms = performance.now();
    const { at_us, values } = await this.#options.values.read(names);
    this.#clock.read(at_us, asked_ms);
    return values;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#inTurn(() => this.#refresh());
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the overrides cannot be read');
    } finally {
      this.#isLooking = false;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}

/** Without a version there is no override. */
function textOf(version: Buffer | null): string {
  return version?.toString() ?? '';
}
