import type { Dispatch } from '../connections/dispatch.ts';

/** The dispatches in all replay buffers. One that many sessions keep takes its bytes once. */
export class KeptDispatches {
  readonly #keepers = new Map<Dispatch, number>();
  #bytes = 0;

  bytes(): number {
    return this.#bytes;
  }

  add(dispatch: Dispatch): void {
    const before = this.#keepers.get(dispatch) ?? 0;
    this.#keepers.set(dispatch, before + 1);
    if (before === 0) this.#bytes += dispatch.rest.length;
  }

  remove(dispatch: Dispatch): void {
    const left = (this.#keepers.get(dispatch) ?? 0) - 1;
    if (left > 0) this.#keepers.set(dispatch, left);
    else if (this.#keepers.delete(dispatch)) this.#bytes -= dispatch.rest.length;
  }
}
