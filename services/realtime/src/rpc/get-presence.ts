import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { GetPresenceRequest, GetPresenceResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import type { Peer } from '../session-transfer/peers.ts';

const REPLICA_TIMEOUT_MS = 500;

/** The presence is unknown if no connection is found and a replica does not answer: the connection may be there. */
export function getPresence({ registry, peers }: Deps): Handler<GetPresenceRequest, GetPresenceResponse> {
  return async ({ account_id }, call) => {
    if (registry.connectionsOf(account_id) > 0) return { online: true };
    const replicas = await peers.all();
    const found = await Promise.all(replicas.map((replica) => isConnectedAt(replica, account_id, call)));
    if (found.includes(true)) return { online: true };
    return { online: found.includes(undefined) ? undefined : false };
  };
}

/** Undefined if the replica does not answer in time. */
async function isConnectedAt(
  replica: Pick<Peer, 'getConnections'>,
  account_id: string,
  parent: Call,
): Promise<boolean | undefined> {
  try {
    const options = { timeoutMs: REPLICA_TIMEOUT_MS, parent };
    return (await replica.getConnections({ account_id }, options)).connections > 0;
  } catch {
    return undefined;
  }
}
