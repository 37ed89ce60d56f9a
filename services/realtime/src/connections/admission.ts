import { ipGroup } from '@gatehouse/kit/net/client-ip';
import type { Bounds } from '../config.ts';

export type AdmissionBounds = Pick<Bounds, 'max_connections' | 'max_connections_per_address'>;

/** Counts connections, in total and per client address. */
export class Admission {
  readonly #bounds: AdmissionBounds;
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds;
  }

  /** Returns the HTTP status that refuses another connection from this address; undefined if it is admitted. */
  refusal(address: string): 503 | 429 | undefined {
    const held = this.#perAddress.get(ipGroup(address)) ?? 0;
    if (held >= this.#bounds.max_connections_per_address) return 429;
    return this.#total >= this.#bounds.max_connections ? 503 : undefined;
  }

  /** Counts a connection. Call the returned function when it ends. */
  enter(address: string): () => void {
    const group = ipGroup(address);
    this.#total++;
    this.#perAddress.set(group, (this.#perAddress.get(group) ?? 0) + 1);
    return () => this.#leave(group);
  }

  #leave(group: string): void {
    this.#total--;
    const left = (this.#perAddress.get(group) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(group, left);
    else this.#perAddress.delete(group);
  }
}
