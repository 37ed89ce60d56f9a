import { ipGroup } from '@gatehouse/kit/net/client-ip';
import { Admission, type AdmissionBounds } from './admission.ts';
import { UnidentifiedConnections } from './unidentified-connections.ts';

/** A connection's slot. */
export interface ConnectionSlot<C> {
  /** Call it when the connection starts or stops waiting for an Identify or a Resume. */
  setUnidentified(connection: C, isUnidentified: boolean): void;
  release(connection: C): void;
}

/** The slots for connections. When none is free, a connection that has not identified makes room. */
export class ConnectionSlots<C extends { readonly address: string }> {
  readonly #admission: Admission;
  readonly #unidentified = new UnidentifiedConnections<C>();
  readonly #displace: (connection: C) => void;

  constructor(bounds: AdmissionBounds, displace: (connection: C) => void) {
    this.#admission = new Admission(bounds);
    this.#displace = displace;
  }

  /** Returns the HTTP status that refuses another connection from this address; undefined if there is a slot for it. */
  refusal(address: string): 503 | 429 | undefined {
    const refusal = this.#admission.refusal(address);
    if (refusal === undefined || this.#displaceable(refusal, address) !== undefined) return undefined;
    return refusal;
  }

  /** Takes a slot, displacing another connection if none is free. Call it in the same turn as `refusal`. */
  take(address: string): ConnectionSlot<C> {
    const refusal = this.#admission.refusal(address);
    const displaced = refusal && this.#displaceable(refusal, address);
    if (displaced !== undefined) {
      this.#unidentified.remove(ipGroup(displaced.address), displaced);
      this.#displace(displaced);
    }
    return this.#slot(ipGroup(address), this.#admission.enter(address));
  }

  /** The connection that makes room when this address is refused. */
  #displaceable(refusal: 503 | 429, address: string): C | undefined {
    return refusal === 429
      ? this.#unidentified.oldestOf(ipGroup(address))
      : this.#unidentified.oldestOfLargest();
  }

  #slot(group: string, leave: () => void): ConnectionSlot<C> {
    return {
      setUnidentified: (connection, isUnidentified) => {
        if (isUnidentified) this.#unidentified.add(group, connection);
        else this.#unidentified.remove(group, connection);
      },
      release: (connection) => {
        this.#unidentified.remove(group, connection);
        leave();
      },
    };
  }
}
