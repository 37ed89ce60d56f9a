import { ipGroup } from '@gatehouse/kit/client-ip';
import type { Bounds } from '../config.ts';

export interface Admission {
  /** The HTTP status that one more connection of this address is refused with; undefined: it is not. */
  refusal(address: string): 503 | 429 | undefined;
  /** Counts one, until the function that it gives is called. */
  enter(address: string): () => void;
}

/** Counts connections, in all and by address. */
export function admission(
  bounds: Pick<Bounds, 'max_connections' | 'max_connections_per_address'>,
): Admission {
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
      if (total >= bounds.max_connections) return 503;
      const held = perAddress.get(ipGroup(address)) ?? 0;
      return held >= bounds.max_connections_per_address ? 429 : undefined;
    },
    enter: (address) => {
      const group = ipGroup(address);
      total++;
      perAddress.set(group, (perAddress.get(group) ?? 0) + 1);
      return () => leave(group);
    },
  };
}
