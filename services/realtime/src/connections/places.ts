import { ipGroup } from '@gatehouse/kit/net/client-ip';
import { type AdmissionBounds, admission } from './admission.ts';
import { Unidentified } from './unidentified.ts';

/** The places of connections. Where there are none left, a connection that has not identified makes room. */
export interface Places<C> {
  /** The HTTP status that one more connection of this address is refused with; undefined: it may take a place. */
  refusal(address: string): 503 | 429 | undefined;
  /** Takes a place, of another connection if there is none left. To be called in the same turn as `refusal`. */
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

  /** The connection that makes room where one of this address is refused. */
  function idleFor(refusal: 503 | 429, address: string): C | undefined {
    return refusal === 429 ? unidentified.oldestOf(ipGroup(address)) : unidentified.oldestOfLargest();
  }

  return {
    refusal: (address) => {
      const refusal = admitted.refusal(address);
      return refusal === undefined || idleFor(refusal, address) !== undefined ? undefined : refusal;
    },
    take: (address) => {
      const group = ipGroup(address);
      const refusal = admitted.refusal(address);
      const idle = refusal && idleFor(refusal, address);
      if (idle !== undefined) {
        unidentified.remove(ipGroup(idle.address), idle);
        displace(idle);
      }
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
