import { ipGroup } from '@gatehouse/kit/client-ip';
import { type AdmissionBounds, admission } from './admission.ts';
import { Unidentified } from './unidentified.ts';

/** The places of connections. Where there are none left, a connection that has not identified makes room. */
export interface Places<C> {
  /** The HTTP status that one more connection of this address is refused with; undefined: it has a place. */
  refusal(address: string): 503 | 429 | undefined;
  take(address: string): Place<C>;
}

export interface Place<C> {
  /** The connection waits for an Identify or a Resume from now on, or does no longer. */
  waits(connection: C, isUnidentified: boolean): void;
  leave(connection: C): void;
}

export function places<C extends { readonly address: string }>(
  bounds: AdmissionBounds,
  displace: (connection: C) => void,
): Places<C> {
  const admitted = admission(bounds);
  const unidentified = new Unidentified<C>();
  return {
    refusal: (address) => {
      const refusal = admitted.refusal(address);
      if (refusal === undefined) return undefined;
      const idle = refusal === 429 ? unidentified.oldestOf(ipGroup(address)) : unidentified.oldestOfLargest();
      if (idle === undefined) return refusal;
      unidentified.remove(ipGroup(idle.address), idle);
      displace(idle);
      return undefined;
    },
    take: (address) => {
      const group = ipGroup(address);
      const leave = admitted.enter(address);
      return {
        waits: (connection, isUnidentified) => {
          if (isUnidentified) unidentified.add(group, connection);
          else unidentified.remove(group, connection);
        },
        leave: (connection) => {
          unidentified.remove(group, connection);
          leave();
        },
      };
    },
  };
}
