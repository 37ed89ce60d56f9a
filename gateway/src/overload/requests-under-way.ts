import { unavailable } from '@gatehouse/kit/fault';
import type { Bounds } from './bounds.ts';
import type { Refusals } from './refusals.ts';

type RequestBounds = Pick<Bounds, 'max_requests' | 'max_requests_per_address'>;

/** Bounds the requests that have started and are not answered, in total and by the client's address. */
export class RequestsUnderWay {
  readonly #bounds: RequestBounds;
  readonly #refusals: Refusals;
  readonly #counts = new Map<string, { count: number }>();
  #total = 0;

  constructor(bounds: RequestBounds, refusals: Refusals) {
    this.#bounds = bounds;
    this.#refusals = refusals;
  }

  count(): number {
    return this.#total;
  }

  /** @throws SERVICE_UNAVAILABLE at a bound */
  enter(address: string): void {
    const ofAddress = this.#counts.get(address) ?? { count: 0 };
    if (ofAddress.count >= this.#bounds.max_requests_per_address) {
      this.#refusals.count('requests_per_address');
      throw unavailable(new Error('too many requests of one address are under way'));
    }
    if (this.#total >= this.#bounds.max_requests) {
      this.#refusals.count('requests');
      throw unavailable(new Error('too many requests are under way'));
    }
    if (ofAddress.count === 0) this.#counts.set(address, ofAddress);
    ofAddress.count++;
    this.#total++;
  }

  /** To be called once for each request that entered. */
  leave(address: string): void {
    this.#total--;
    const ofAddress = this.#counts.get(address);
    if (ofAddress === undefined) return;
    ofAddress.count--;
    if (ofAddress.count === 0) this.#counts.delete(address);
  }
}
