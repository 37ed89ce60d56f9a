/** How long a call may still wait, in milliseconds. */
export class WaitBudget {
  #remaining: number;

  constructor(milliseconds: number) {
    this.#remaining = milliseconds;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Takes a wait from the budget, and returns it. The jitter of the last one may exceed the rest. */
  spend(milliseconds: number): number {
    this.#remaining = Math.max(this.#remaining - milliseconds, 0);
    return milliseconds;
  }
}
