import { setTimeout as sleep } from 'node:timers/promises';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Session as GivenSession, RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { Recently } from '../recently.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { givenSession } from './given-session.ts';
import type { Peers } from './peers.ts';

export interface HandOverOptions {
  readonly registry: Registry;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly peers: Pick<Peers, 'all'>;
  /** Takes the IDs of sessions that are on their way: nobody else is given them meanwhile. */
  readonly giving: Set<string>;
  /** Those that were given to others a moment ago: who looks for one looks again, as it may be on its way. */
  readonly moved: Recently;
  readonly log: Logger;
}

type Peer = Client<typeof RealtimeServiceDefinition>;

/** Sessions that one call gives, and what it gives of events that are kept as they were sent: they fit into a message. */
const AT_ONCE = 50;
const TEXT_BYTES = 8 * 1024 * 1024;
const CALLS = 4;
/** What a drain leaves of the ten seconds that a process has, but for what closes afterwards. */
const WITHIN_MS = 4_000;
/** Less, so that one that hangs leaves time for another. */
const EACH_WITHIN_MS = 2_000;
/** How often others are asked to take the same sessions, and what is waited for before one is asked that has failed. */
const ATTEMPTS = 4;
const PAUSE_MS = 300;

/**
 * Gives the sessions of this replica, which stops, to others: each can be resumed there.
 *
 * @returns how many were given
 */
export async function handOver(options: HandOverOptions): Promise<number> {
  const { registry, chatLog, peers, giving, moved, log } = options;
  const all = [...registry.all()];
  const others = await peers.all();
  if (all.length === 0 || others.length === 0) return 0;
  const deadline = performance.now() + WITHIN_MS;
  /** How often they have failed. */
  const failures = new Map<Peer, number>();
  const parts = partsOf(all);
  const inTurn = concurrency({ at_once: CALLS, max_waiting: parts.length });
  const counts = await Promise.all(parts.map((some, part) => inTurn(() => give(some, part))));
  const given = counts.reduce((sum, count) => sum + count, 0);
  if (given < all.length)
    log.info({ sessions: all.length, given }, 'not all sessions were given to another replica');
  return given;

  function callOptions(): { timeoutMs: number; caller: Caller } {
    const left_ms = Math.floor(deadline - performance.now());
    return { timeoutMs: Math.max(1, Math.min(EACH_WITHIN_MS, left_ms)), caller: anonymous };
  }

  async function give(some: readonly Session[], part: number): Promise<number> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const peer = bestPeer(part);
      if (peer === undefined) return 0;
      if (attempt > 0 && failuresOf(peer) > 0) await sleep(PAUSE_MS);
      if (performance.now() >= deadline) return 0;
      try {
        return await giveTo(peer, some);
      } catch (error) {
        failures.set(peer, isStopping(error) ? NEVER : failuresOf(peer) + 1);
        log.debug({ err: error }, 'a replica takes no sessions over');
      }
    }
    return 0;
  }

  /** One of those that have failed least. The parts take them in turn. */
  function bestPeer(part: number): Peer | undefined {
    const least = Math.min(...others.map(failuresOf));
    const best = least === NEVER ? [] : others.filter((peer) => failuresOf(peer) === least);
    return best[part % best.length];
  }

  function failuresOf(peer: Peer): number {
    return failures.get(peer) ?? 0;
  }

  async function giveTo(peer: Peer, some: readonly Session[]): Promise<number> {
    const signal = AbortSignal.timeout(callOptions().timeoutMs);
    const account_ids = [...new Set(some.map(({ account }) => account.id))];
    const prepared = await peer.prepareSessions({ account_ids }, callOptions());
    const { sessions, cursor } = await chatLog.betweenTransactions(
      signal,
      (cursor) => {
        // Those that have been resumed elsewhere meanwhile are not here any more.
        const here = some.filter(({ id }) => registry.get(id) !== undefined);
        for (const { id } of here) giving.add(id);
        return { sessions: here.map((session) => givenSession(session, TEXT_BYTES)), cursor };
      },
      readCursor(prepared.cursor).seen,
    );
    try {
      if (!(await areAccepted(peer, sessions, cursor))) return 0;
      for (const session of some) if (registry.has(session)) registry.end(session);
      for (const { id } of sessions) moved.add(id);
      return sessions.length;
    } finally {
      for (const { id } of sessions) giving.delete(id);
    }
  }

  /** False: nobody knows. Given to a further replica, they might be at two then. */
  async function areAccepted(peer: Peer, sessions: GivenSession[], cursor: string): Promise<boolean> {
    try {
      await peer.acceptSessions({ sessions, cursor }, callOptions());
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.DEADLINE_EXCEEDED) throw error;
      failures.set(peer, failuresOf(peer) + 1);
      return false;
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/** One that stops refuses, and so does this one, if it is among them. */
function isStopping(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'STOPPING';
}

function partsOf(sessions: readonly Session[]): Session[][] {
  const parts: Session[][] = [];
  let part: Session[] = [];
  let textBytes = 0;
  for (const session of sessions) {
    textBytes += session.positions.textBytes();
    if (part.length === 0 || part.length === AT_ONCE || textBytes > TEXT_BYTES) {
      part = [];
      parts.push(part);
      textBytes = session.positions.textBytes();
    }
    part.push(session);
  }
  return parts;
}
