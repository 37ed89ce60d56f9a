import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import type { ServerDuplexStream, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { throttledLog } from '../throttled-log.ts';
import type { ServedMethod } from './dispatch.ts';

/** The methods that one peer may call: unary methods, those with a stream of responses, or those with two streams. */
export interface Access<M = ServedMethod> {
  readonly methods: ReadonlyMap<string, M>;
  /** The status for a method that is not in `methods`. */
  refuse(path: string): Status;
}

/** Finds the access of the peer that makes a call. */
export type AccessOf<M = ServedMethod> = (
  call:
    | ServerUnaryCall<Uint8Array, Uint8Array>
    | ServerWritableStream<Uint8Array, Uint8Array>
    | ServerDuplexStream<Uint8Array, Uint8Array>,
) => Access<M>;

/**
 * Makes the function that finds a peer's access. The rules are applied once per peer name, so that a call costs no more
 * than the look-up of its method.
 *
 * @param rules if undefined, every peer may call every method, on behalf of any caller
 */
export function accessTo<M extends AcceptsCaller>(
  served: ReadonlyMap<string, M>,
  rules: PeerRules | undefined,
  log: Logger,
): (peer: string | undefined) => Access<M> {
  const known = new Map<string | undefined, Access<M>>();
  const logDenied = throttledLog((times: number, last: { peer: string; rpc: string }) =>
    log.warn({ ...last, calls: times }, 'calls are denied: the peer may not call these methods'),
  );

  function accessOf(peer: string | undefined): Access<M> {
    return {
      methods: rules === undefined ? served : allowed(served, rules, peer),
      refuse: (path) => {
        if (!served.has(path)) return Status.UNIMPLEMENTED;
        if (peer === undefined) return Status.CANCELLED; // its connection is already closed
        logDenied({ peer, rpc: path });
        return Status.PERMISSION_DENIED;
      },
    };
  }

  return (peer) => {
    const found = known.get(peer);
    if (found !== undefined) return found;
    const access = accessOf(peer);
    known.set(peer, access);
    return access;
  };
}

interface AcceptsCaller {
  readonly acceptsCaller: boolean;
}

function allowed<M extends AcceptsCaller>(
  served: ReadonlyMap<string, M>,
  rules: PeerRules,
  peer: string | undefined,
): ReadonlyMap<string, M> {
  if (peer === undefined) return new Map();
  return new Map(
    [...served]
      .filter(([path]) => rules.allows(peer, path))
      .map(([path, method]) => [path, { ...method, acceptsCaller: rules.mayActForCallers(peer, path) }]),
  );
}
