import type { ServerDuplexStream, ServerUnaryCall } from '@grpc/grpc-js';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { sparingly } from '../log-sparingly.ts';
import type { ServedMethod } from './dispatch.ts';

/** Which peer may call what; peers have the names in their certificates. */
export interface PeerRules {
  /** Whether this peer may call the method with this path, "/package.Service/Method". */
  allows(peer: string, path: string): boolean;
  /** Whether it may say in calls of that method on whose behalf it calls; otherwise it calls for nobody. */
  mayNameCaller(peer: string, path: string): boolean;
}

/** What one peer may call at a server. */
export interface Access {
  readonly methods: ReadonlyMap<string, ServedMethod>;
  /** Why another method is not called. */
  refuse(path: string): Status;
}

/** What the peer that makes this call may call. */
export type AccessOf = (
  call: ServerUnaryCall<Uint8Array, Uint8Array> | ServerDuplexStream<Uint8Array, Uint8Array>,
) => Access;

/**
 * Works out what each peer may call, once for each name: a call costs the look-up of its method, which it costs
 * without rules, too.
 *
 * @param rules without them everybody may call everything, for whomever
 */
export function accessTo(
  served: ReadonlyMap<string, ServedMethod>,
  rules: PeerRules | undefined,
  log: Logger,
): (peer: string | undefined) => Access {
  const known = new Map<string | undefined, Access>();
  const denied = sparingly((times: number, last: { peer: string; rpc: string }) =>
    log.warn({ ...last, calls: times }, 'calls are denied: their peer may not make them'),
  );

  function accessOf(peer: string | undefined): Access {
    return {
      methods: rules === undefined ? served : allowed(served, rules, peer),
      refuse: (path) => {
        if (!served.has(path)) return Status.UNIMPLEMENTED;
        if (peer === undefined) return Status.CANCELLED; // its connection has gone meanwhile: nobody is told
        denied({ peer, rpc: path });
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

function allowed(
  served: ReadonlyMap<string, ServedMethod>,
  rules: PeerRules,
  peer: string | undefined,
): ReadonlyMap<string, ServedMethod> {
  if (peer === undefined) return new Map();
  return new Map(
    [...served]
      .filter(([path]) => rules.allows(peer, path))
      .map(([path, method]) => [path, { ...method, takesCaller: rules.mayNameCaller(peer, path) }]),
  );
}
