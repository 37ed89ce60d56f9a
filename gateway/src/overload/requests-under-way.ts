import { unavailable } from '@gatehouse/kit/fault';
import type { Bounds } from './bounds.ts';
import type { Refusals } from './refusals.ts';

/** Bounds the requests that have started and are not answered, in all and by the client's address. */
export interface RequestsUnderWay {
  /** @throws SERVICE_UNAVAILABLE at a bound */
  enter(address: string): void;
  /** To be called once for each request that entered. */
  leave(address: string): void;
  count(): number;
}

type RequestBounds = Pick<Bounds, 'max_requests' | 'max_requests_per_address'>;

export function requestsUnderWay(bounds: RequestBounds, refusals: Refusals): RequestsUnderWay {
  const counts = new Map<string, { count: number }>();
  let total = 0;
  return {
    enter: (address) => {
      const under = counts.get(address) ?? { count: 0 };
      if (under.count >= bounds.max_requests_per_address) {
        refusals.count('requests_per_address');
        throw unavailable(new Error('too many requests of one address are under way'));
      }
      if (total >= bounds.max_requests) {
        refusals.count('requests');
        throw unavailable(new Error('too many requests are under way'));
      }
      if (under.count === 0) counts.set(address, under);
      under.count++;
      total++;
    },
    leave: (address) => {
      total--;
      const under = counts.get(address);
      if (under === undefined) return;
      under.count--;
      if (under.count === 0) counts.delete(address);
    },
    count: () => total,
  };
}
