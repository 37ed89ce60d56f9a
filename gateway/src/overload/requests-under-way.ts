import { unavailable } from '@gatehouse/kit/fault';
import type { Bounds } from './bounds.ts';
import type { Refusals } from './refusals.ts';

type RequestBounds = Pick<Bounds, 'max_requests' | 'max_requests_per_address'>;

/** Bounds the requests that have started and are not answered, in total and by the client's IP group. */
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
  enter(ipGroup: string): void {
    const ofGroup = this.#counts.get(ipGroup) ?? { count: 0 };
    if (ofGroup.count >= this.#bounds.max_requests_per_address) {
      this.#refusals.count('requests_per_address');
      throw unavailable(new Error('too many requests of one address are under way'));
    }
    if (this.#total >= this.#bounds.max_requests) {
      this.#refusals.count('requests');
      throw unavailable(new Error('too many requests are under way'));
    }
    if (ofGroup.count === 0) this.#counts.set(ipGroup, ofGroup);
    ofGroup.count++;
    this.#total++;
  }

  /** To be called once for each request that entered. */
  leave(ipGroup: string): void {
    this.#total--;
    const ofGroup = this.#counts.get(ipGroup);
    if (ofGroup === undefined) return;
    ofGroup.count--;
    if (ofGroup.count === 0) this.#counts.delete(ipGroup);
  }
}
