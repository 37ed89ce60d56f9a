import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { ipGroup } from '@gatehouse/kit/net/client-ip';
import { tooManySignIns } from '../errors.ts';

/** Who signs in. */
export interface Attempt {
  readonly ip: string;
  /** The name; undefined for a one-time link. */
  readonly name?: string;
}

const WINDOW_MS = 15 * 60_000;
const MAX_OF_ADDRESS = 10;
/** More than of an address, so that a stranger cannot easily keep an operator out. */
const MAX_OF_NAME = 50;
/** Counters of each kind. A further one replaces the oldest. */
const MAX_COUNTERS = 10_000;

/** Bounds wrong sign-ins by address and by name, in this process. */
export class WrongSignIns {
  readonly #addresses: Counters;
  readonly #names: Counters;

  constructor(clock: Clock = systemClock) {
    this.#addresses = new Counters(MAX_OF_ADDRESS, clock);
    this.#names = new Counters(MAX_OF_NAME, clock);
  }

  /**
   * Counts an attempt before its check, so that simultaneous ones count too.
   *
   * @throws RATE_LIMITED past the bound
   */
  begin({ ip, name }: Attempt): void {
    // A refused address counts against no name, so it cannot keep an operator out.
    const wait_ms = this.#addresses.add(ipGroup(ip)) || (name === undefined ? 0 : this.#names.add(name));
    if (wait_ms > 0) throw tooManySignIns(wait_ms);
  }

  /** The attempt was right: it does not count. */
  succeed({ ip, name }: Attempt): void {
    this.#addresses.subtract(ipGroup(ip));
    if (name !== undefined) this.#names.subtract(name);
  }
}

class Counters {
  readonly #counters = new Map<string, { count: number; until_ms: number }>();
  readonly #max: number;
  readonly #clock: Clock;

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Returns the milliseconds until the next attempt may be made; 0: now. */
  add(key: string): number {
    const now = this.#clock();
    const found = this.#counters.get(key);
    if (found !== undefined && found.until_ms > now) {
      if (found.count >= this.#max) return found.until_ms - now;
      found.count++;
      return 0;
    }
    this.#counters.delete(key);
    this.#counters.set(key, { count: 1, until_ms: now + WINDOW_MS });
    const [oldest] = this.#counters.keys();
    if (this.#counters.size > MAX_COUNTERS && oldest !== undefined) this.#counters.delete(oldest);
    return 0;
  }

  subtract(key: string): void {
    const found = this.#counters.get(key);
    if (found !== undefined) found.count--;
  }
}
