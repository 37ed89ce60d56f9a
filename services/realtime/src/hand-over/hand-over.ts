import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Logger } from '@gatehouse/kit/log';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { givenSession } from './given-session.ts';
import type { Peers } from './peers.ts';

export interface HandOverOptions {
  readonly registry: Registry;
  readonly chatLog: Pick<ChatLog, 'atRest'>;
  readonly peers: Peers;
  readonly log: Logger;
}

/** Sessions that one call gives. */
const AT_ONCE = 200;
/** What a drain leaves of the ten seconds that a process has, but for what closes afterwards. */
const WITHIN_MS = 4_000;
/** Less, so that one that hangs leaves time for another. */
const EACH_WITHIN_MS = 2_500;

/**
 * Gives the sessions of this replica, which stops, to others: each can be resumed there. Their connections have ended.
 *
 * @returns how many were given
 */
export async function handOver({ registry, chatLog, peers, log }: HandOverOptions): Promise<number> {
  const all = [...registry.all()];
  const others = await peers.all();
  if (all.length === 0 || others.length === 0) return 0;
  const deadline = performance.now() + WITHIN_MS;
  let given = 0;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    // A replica that stops itself refuses, and so does this one, if it is among them.
    for (const [turn] of others.entries()) {
      const peer = others[(from / AT_ONCE + turn) % others.length];
      try {
        if (peer !== undefined) given += await giveTo(peer, some);
        break;
      } catch (error) {
        log.debug({ err: error }, 'a replica takes no sessions over');
      }
    }
  }
  if (given < all.length)
    log.info({ sessions: all.length, given }, 'not all sessions were given to another replica');
  return given;

  function options(): { timeoutMs: number; caller: Caller } {
    const left_ms = deadline - performance.now();
    return { timeoutMs: Math.max(1, Math.min(EACH_WITHIN_MS, left_ms)), caller: anonymous };
  }

  async function giveTo(
    peer: Client<typeof RealtimeServiceDefinition>,
    some: readonly Session[],
  ): Promise<number> {
    const signal = AbortSignal.timeout(options().timeoutMs);
    const account_ids = [...new Set(some.map(({ account }) => account.id))];
    const prepared = await peer.prepareSessions({ account_ids }, options());
    const { sessions, cursor } = await chatLog.atRest(
      signal,
      (cursor) => {
        // Those that have been resumed elsewhere meanwhile are not here any more.
        const here = some.filter(({ id }) => registry.get(id) !== undefined);
        return { sessions: here.map(givenSession), cursor };
      },
      readCursor(prepared.cursor).seen,
    );
    await peer.acceptSessions({ sessions, cursor }, options());
    for (const session of some) if (registry.get(session.id) !== undefined) registry.end(session);
    return sessions.length;
  }
}
