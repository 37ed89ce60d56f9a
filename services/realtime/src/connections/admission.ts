import { ipGroup } from '@gatehouse/kit/net/client-ip';
import type { Bounds } from '../config.ts';

export interface Admission {
  /** The HTTP status that one more connection of this address is refused with; undefined: it is not. */
  refusal(address: string): 503 | 429 | undefined;
  /** Counts one, until the function that it gives is called. */
  enter(address: string): () => void;
}

export type AdmissionBounds = Pick<Bounds, 'max_connections' | 'max_connections_per_address'>;

/** Counts connections, in all and by address. */
export function admission(bounds: AdmissionBounds): Admission {
  const perAddress = new Map<string, number>();
  let total = 0;

  function leave(group: string): void {
    total--;
    const left = (perAddress.get(group) ?? 0) - 1;
    if (left > 0) perAddress.set(group, left);
    else perAddress.delete(group);
  }

  return {
    refusal: (address) => {
      const held = perAddress.get(ipGroup(address)) ?? 0;
      if (held >= bounds.max_connections_per_address) return 429;
      return total >= bounds.max_connections ? 503 : undefined;
    },
    enter: (address) => {
      const group = ipGroup(address);
      total++;
      perAddress.set(group, (perAddress.get(group) ?? 0) + 1);
      return () => leave(group);
    },
  };
}
