import type { World } from '../world/world.ts';

export interface StateBudgetOptions {
  readonly world: Pick<World<unknown>, 'bytes' | 'bytesByAccount'>;
  readonly max_bytes: number;
  readonly endSessions: (account_id: string) => void;
}

const MEASURED_FOR_MS = 1_000;
/** An account gives way to one with half as much state. Equal accounts would end each other's sessions in turn. */
const MIN_RATIO = 2;
/** The state is measured again after each account whose sessions are ended. */
const MAX_ENDED = 32;

/**
 * Limits the memory of guilds and accounts. A load may take half of the free budget, so that smaller loads still fit beside
 * it. When it does not fit, the accounts with most state give way to those with far less. Growth by events is counted but
 * never refused, since chat bounds it.
 */
export class StateBudget {
  readonly #options: StateBudgetOptions;
  #measured = 0;
  #measuredAt_ms = Number.NEGATIVE_INFINITY;
  #loading = 0;

  constructor(options: StateBudgetOptions) {
    this.#options = options;
  }

  /** Estimated bytes of the kept state and of pending loads. */
  bytes(): number {
    return this.#kept() + this.#loading;
  }

  /** Begins a load. */
  reserve(): StateReservation {
    return new StateReservation({
      grow: (bytes) => {
        this.#loading += bytes;
      },
      fits: (own) => own <= (this.#options.max_bytes - this.#kept() - (this.#loading - own)) / 2,
      keep: (own) => {
        this.#loading -= own;
        this.#measured += own; // counted twice until the next measurement, rather than not at all
      },
      makeRoom: (own, fits) => this.#endLargest(own, fits),
    });
  }

  /** Measuring visits the whole world, so the result is reused for a second. */
  #kept(): number {
    if (performance.now() - this.#measuredAt_ms > MEASURED_FOR_MS) this.#measure();
    return this.#measured;
  }

  #measure(): void {
    this.#measured = this.#options.world.bytes();
    this.#measuredAt_ms = performance.now();
  }

  /** Ends the sessions of accounts with far more state than `own`, the largest first, until the load fits. */
  #endLargest(own: number, fits: () => boolean): boolean {
    const { world, endSessions } = this.#options;
    const larger = [...world.bytesByAccount()].filter(([, bytes]) => bytes > MIN_RATIO * own);
    larger.sort(([, one], [, other]) => other - one);
    for (const [account_id] of larger.slice(0, MAX_ENDED)) {
      if (fits()) return true;
      endSessions(account_id);
      this.#measure();
    }
    return fits();
  }
}

interface Budget {
  readonly grow: (bytes: number) => void;
  readonly fits: (own: number) => boolean;
  readonly keep: (own: number) => void;
  readonly makeRoom: (own: number, fits: () => boolean) => boolean;
}

/** The budget share of one load. */
class StateReservation {
  readonly #budget: Budget;
  #own = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds bytes to the load; false if it no longer fits. */
  add(bytes: number): boolean {
    this.#own += bytes;
    this.#budget.grow(bytes);
    return this.#fits();
  }

  /** Ends the sessions of accounts with twice as much state, until the load fits; false if it still does not. */
  makeRoom(): boolean {
    return this.#budget.makeRoom(this.#own, () => this.#fits());
  }

  /** The loaded state is in the world now. */
  keep(): void {
    this.#budget.keep(this.#own);
    this.#own = 0;
  }

  /** Releases the bytes that are not kept. */
  end(): void {
    this.#budget.grow(-this.#own);
    this.#own = 0;
  }

  #fits(): boolean {
    return this.#budget.fits(this.#own);
  }
}

export type { StateReservation };
