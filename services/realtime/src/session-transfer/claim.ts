import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, isOutage, Status } from '@gatehouse/kit/fault';
import { anonymous } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Claim } from '../sessions/sessions.ts';
import type { Arrival } from './arrivals.ts';
import type { Peer, Peers } from './peers.ts';

const TIMEOUT_MS = 3_000;
/** Of one that did not answer in time before: others wait behind this Resume. */
const BRIEF_TIMEOUT_MS = 300;
/** For so long one that does not answer may only be slow: its sessions are not given up. */
const SLOW_MS = 10_000;
const RETRY_MS = 50;
/** A session that is on its way has come by then. */
const ON_ITS_WAY_MS = 5_000;

/** `late`: it did not answer, and may have the session. */
type Answer = ReleaseSessionResponse & { readonly late?: Fault };

/** Makes what asks the other replicas for a session that is resumed here. */
export function claim(
  peers: Peers,
  registry: Pick<Registry, 'get'>,
  arrive: (account_id: string) => Promise<Arrival>,
): Claim {
  /** Since when replicas have not answered in time. */
  const silentSince_ms = new WeakMap<Peer, number>();

  async function ask(peer: Peer, request: ReleaseSessionRequest): Promise<Answer> {
    const timeoutMs = silentSince_ms.has(peer) ? BRIEF_TIMEOUT_MS : TIMEOUT_MS;
    try {
      const answer = await peer.releaseSession(request, { timeoutMs, caller: anonymous });
      silentSince_ms.delete(peer);
      return answer;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!(error instanceof Fault) || error.status !== Status.DEADLINE_EXCEEDED) return NOTHING;
      const since_ms = silentSince_ms.get(peer) ?? performance.now();
      silentSince_ms.set(peer, since_ms);
      return performance.now() - since_ms < SLOW_MS ? { ...NOTHING, late: error } : NOTHING;
    }
  }

  return async ({ session_id, seq }, { account_id, credential_id }) => {
    const asked = await peers.all();
    if (asked.length === 0) return undefined;
    const arrival = await arrive(account_id);
    try {
      const { cursor } = arrival;
      const request = { session_id, account_id, credential_id, cursor, seq };
      const deadline = performance.now() + ON_ITS_WAY_MS;
      for (;;) {
        // All of them: a late answer would be about a session that is elsewhere by then, perhaps here.
        const answers = await Promise.all(asked.map((peer) => ask(peer, request)));
        const found = answers.find(({ session }) => session != null);
        if (found?.session != null) return await arrival.accept(found.session, found.cursor);
        if (answers.some(({ invalid_sequence }) => invalid_sequence)) return CloseCode.INVALID_SEQUENCE;
        const here = registry.get(session_id); // another replica that stops may have given it
        if (here !== undefined) return here;
        if (performance.now() >= deadline || !answers.some(({ moved }) => moved)) return nobodyHas(answers);
        await sleep(RETRY_MS);
      }
    } finally {
      arrival.end();
    }
  };
}

/** @throws what kept one from answering that may have it */
function nobodyHas(answers: readonly Answer[]): undefined {
  const late = answers.find((answer) => answer.late !== undefined)?.late;
  if (late !== undefined) throw late;
}

/** A replica that is gone has no sessions. */
const NOTHING: ReleaseSessionResponse = {
  session: undefined,
  cursor: '',
  moved: false,
  invalid_sequence: false,
};
