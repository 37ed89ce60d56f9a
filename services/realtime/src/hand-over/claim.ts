import { isOutage } from '@gatehouse/kit/fault';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { RealtimeServiceDefinition, ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import type { Credential } from '../sessions/credential.ts';
import type { Session } from '../sessions/session.ts';
import type { Arrival } from './arrivals.ts';
import type { Peers } from './peers.ts';

type Peer = Client<typeof RealtimeServiceDefinition>;

const TIMEOUT_MS = 3_000;

/** Asks the other replicas for a session that is resumed here. Undefined: none of them has it. */
export function claim(
  peers: Peers,
  arrive: (account_id: string) => Promise<Arrival>,
): (session_id: string, credential: Credential) => Promise<Session | undefined> {
  return async (session_id, { account_id, credential_id }) => {
    const asked = await peers.all();
    if (asked.length === 0) return undefined;
    const arrival = await arrive(account_id);
    try {
      const { cursor } = arrival;
      const request = { session_id, account_id, credential_id, cursor };
      const first = await Promise.all(asked.map((peer) => askOne(peer, request)));
      // It may have gone from one to another while they were asked. A replica that is gone has no sessions.
      const answered = asked.filter((_, index) => first[index] !== undefined);
      const found =
        first.find(isFound) ??
        (await Promise.all(answered.map((peer) => askOne(peer, request)))).find(isFound);
      return found?.session == null ? undefined : arrival.accept(found.session, found.cursor);
    } finally {
      arrival.end();
    }
  };
}

/** Undefined: it does not answer. */
async function askOne(
  peer: Peer,
  request: ReleaseSessionRequest,
): Promise<ReleaseSessionResponse | undefined> {
  try {
    return await peer.releaseSession(request, { timeoutMs: TIMEOUT_MS, caller: anonymous });
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}

function isFound(answer: ReleaseSessionResponse | undefined): boolean {
  return answer?.session != null;
}
