import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { ipGroup } from '@gatehouse/kit/net/client-ip';
import { tooManySignIns } from '../errors.ts';

/** Who signs in. */
export interface Attempt {
  readonly ip: string;
  /** The name, if a password is tried; undefined for what nobody can guess. */
  readonly name?: string;
}

const WINDOW_MS = 15 * 60_000;
const MAX_OF_ADDRESS = 10;
/** More than of an address, so that a stranger cannot easily keep an operator out. */
const MAX_OF_NAME = 50;
/** More than a few operators behind one address need, and far fewer than the database keeps. */
const MAX_CHALLENGES = 100;
/** Counters of each kind. A further one replaces the oldest. */
const MAX_COUNTERS = 10_000;

/** Bounds wrong sign-ins by address and by name, in this process. */
export class WrongSignIns {
  readonly #addresses: Counters;
  readonly #names: Counters;
  readonly #challenges: Counters;
  /** Names with the addresses from which they have signed in. */
  readonly #known = new Set<string>();

  constructor(clock: Clock = systemClock) {
    this.#addresses = new Counters(MAX_OF_ADDRESS, clock);
    this.#names = new Counters(MAX_OF_NAME, clock);
    this.#challenges = new Counters(MAX_CHALLENGES, clock);
  }

  /**
   * Counts an attempt before its check, so that simultaneous ones count too. Where an operator has signed in before, the
   * bound of the name does not hold: strangers cannot keep them out. Returns a function to call if the attempt was right:
   * then it does not count.
   *
   * @throws RATE_LIMITED past a bound
   */
  begin({ ip, name }: Attempt): () => void {
    const address = ipGroup(ip);
    // A refused address counts against no name.
    const counted = [this.#addresses.add(address)];
    if (name !== undefined && !this.#known.has(pair(name, address))) counted.push(this.#names.add(name));
    return () => {
      for (const counter of counted) counter.count--;
      if (name !== undefined) this.#remember(pair(name, address));
    };
  }

  /**
   * Counts a challenge for a passkey. The database keeps the newest ones, so nobody may ask for all of them.
   *
   * @throws RATE_LIMITED past the bound
   */
  beginChallenge({ ip }: Pick<Attempt, 'ip'>): void {
    this.#challenges.add(ipGroup(ip));
  }

  #remember(known: string): void {
    this.#known.delete(known);
    this.#known.add(known);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_COUNTERS && oldest !== undefined) this.#known.delete(oldest);
  }
}

function pair(name: string, address: string): string {
  return `${address} ${name}`;
}

interface Counter {
  count: number;
  readonly until_ms: number;
}

class Counters {
  readonly #counters = new Map<string, Counter>();
  readonly #max: number;
  readonly #clock: Clock;

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** @throws RATE_LIMITED past the bound */
  add(key: string): Counter {
    const now = this.#clock();
    const found = this.#counters.get(key);
    if (found !== undefined && found.until_ms > now) {
      if (found.count >= this.#max) throw tooManySignIns(found.until_ms - now);
      found.count++;
      return found;
    }
    const counter = { count: 1, until_ms: now + WINDOW_MS };
    this.#counters.delete(key);
    this.#counters.set(key, counter);
    const [oldest] = this.#counters.keys();
    if (this.#counters.size > MAX_COUNTERS && oldest !== undefined) this.#counters.delete(oldest);
    return counter;
  }
}
