import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '@gatehouse/kit/fault';
import { anonymous } from '@gatehouse/kit/rpc';
import type { ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import type { Credential } from '../sessions/credential.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import type { Arrival } from './arrivals.ts';
import type { Peers } from './peers.ts';

const TIMEOUT_MS = 3_000;
const RETRY_MS = 50;
/** A session that is on its way has come by then. */
const ON_ITS_WAY_MS = 5_000;

/** Asks the other replicas for a session that is resumed here. Undefined: none of them has it. */
export function claim(
  peers: Peers,
  registry: Pick<Registry, 'get'>,
  arrive: (account_id: string) => Promise<Arrival>,
): (session_id: string, credential: Credential) => Promise<Session | undefined> {
  return async (session_id, { account_id, credential_id }) => {
    const asked = await peers.all();
    if (asked.length === 0) return undefined;
    const arrival = await arrive(account_id);
    try {
      const { cursor } = arrival;
      const request = { session_id, account_id, credential_id, cursor };
      const deadline = performance.now() + ON_ITS_WAY_MS;
      for (;;) {
        const released = await Promise.all(
          asked.map((peer) =>
            peer.releaseSession(request, { timeoutMs: TIMEOUT_MS, caller: anonymous }).catch(nothing),
          ),
        );
        const found = released.find(({ session }) => session != null);
        if (found?.session != null) return await arrival.accept(found.session, found.cursor);
        const here = registry.get(session_id); // another replica that stops may have given it
        const isOnItsWay = released.some(({ moved }) => moved) && performance.now() < deadline;
        if (here !== undefined || !isOnItsWay) return here;
        await sleep(RETRY_MS);
      }
    } finally {
      arrival.end();
    }
  };
}

/** A replica that is gone has no sessions. */
function nothing(error: unknown): ReleaseSessionResponse {
  if (isOutage(error)) return { session: undefined, cursor: '', moved: false };
  throw error;
}
