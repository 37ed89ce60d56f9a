import { setTimeout as sleep } from 'node:timers/promises';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { AcceptSessionsRequest } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { RecentIds } from '../recent-ids.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { Peer, Peers } from './peers.ts';
import { transferredSession } from './transferred-session.ts';

export interface TransferSessionsOptions {
  readonly registry: SessionRegistry;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly peers: Pick<Peers, 'all'>;
  /** IDs of sessions that are being transferred: no other replica can claim them meanwhile. */
  readonly inTransfer: Set<string>;
  /** IDs of recently transferred sessions: a replica that claims one tries again, since it may still be on its way. */
  readonly transferred: RecentIds;
  readonly log: Logger;
}

/** Limits of one call, so that its request fits into a message. */
const BATCH_SESSIONS = 50;
const BATCH_KEPT_BYTES = 8 * 1024 * 1024;
const CONCURRENT_BATCHES = 4;
/** The rest of the ten seconds of shutdown after the drain, less the time to close. */
const TRANSFER_TIMEOUT_MS = 4_000;
/** Shorter, to leave time for another replica after one that hangs. */
const CALL_TIMEOUT_MS = 2_000;
/** Attempts for a batch, and the pause before a replica that failed is tried again. */
const MAX_BATCH_ATTEMPTS = 4;
const PAUSE_AFTER_FAILURE_MS = 300;

/**
 * Transfers the sessions of this stopping replica to others, where their clients can resume them.
 *
 * @returns the number of transferred sessions
 */
export async function transferSessions(options: TransferSessionsOptions): Promise<number> {
  const sessions = [...options.registry.all()];
  const peers = await options.peers.all();
  if (sessions.length === 0 || peers.length === 0) return 0;
  const transferred = await new Transfer(options, peers).run(sessions);
  if (transferred < sessions.length)
    options.log.info(
      { sessions: sessions.length, transferred },
      'not all sessions were transferred to another replica',
    );
  return transferred;
}

class Transfer {
  readonly #options: TransferSessionsOptions;
  readonly #peers: readonly Peer[];
  readonly #deadline = performance.now() + TRANSFER_TIMEOUT_MS;
  /** The failures of each replica; NEVER_AGAIN for one that is stopping. */
  readonly #failures = new Map<Peer, number>();

  constructor(options: TransferSessionsOptions, peers: readonly Peer[]) {
    this.#options = options;
    this.#peers = peers;
  }

  async run(sessions: readonly Session[]): Promise<number> {
    const batches = batchesOf(sessions);
    const limited = concurrency({ at_once: CONCURRENT_BATCHES, max_waiting: batches.length });
    const counts = await Promise.all(
      batches.map((batch, index) => limited(() => this.#transferBatch(batch, index))),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #transferBatch(batch: readonly Session[], index: number): Promise<number> {
    for (let attempt = 0; attempt < MAX_BATCH_ATTEMPTS; attempt++) {
      const peer = this.#bestPeer(index);
      if (peer === undefined) return 0;
      if (attempt > 0 && this.#failuresOf(peer) > 0) await sleep(PAUSE_AFTER_FAILURE_MS);
      if (performance.now() >= this.#deadline) return 0;
      try {
        return await this.#transferTo(peer, batch);
      } catch (error) {
        this.#failures.set(peer, isStopping(error) ? NEVER_AGAIN : this.#failuresOf(peer) + 1);
        this.#options.log.debug({ err: error }, 'a replica does not accept sessions');
      }
    }
    return 0;
  }

  /** A replica with the fewest failures. Batches take such replicas in turn. */
  #bestPeer(index: number): Peer | undefined {
    const least = Math.min(...this.#peers.map((peer) => this.#failuresOf(peer)));
    if (least === NEVER_AGAIN) return undefined;
    const best = this.#peers.filter((peer) => this.#failuresOf(peer) === least);
    return best[index % best.length];
  }

  #failuresOf(peer: Peer): number {
    return this.#failures.get(peer) ?? 0;
  }

  async #transferTo(peer: Peer, batch: readonly Session[]): Promise<number> {
    const { registry, inTransfer, transferred } = this.#options;
    const request = await this.#beginTransfer(peer, batch);
    const ids = request.sessions.map(({ id }) => id);
    try {
      if (!(await this.#areAccepted(peer, request))) return 0;
      for (const session of batch) if (registry.has(session)) registry.end(session);
      for (const id of ids) transferred.add(id);
      return ids.length;
    } finally {
      for (const id of ids) inTransfer.delete(id);
    }
  }

  /** Waits until this replica has delivered at least the events that the other one does not buffer. */
  async #beginTransfer(peer: Peer, batch: readonly Session[]): Promise<AcceptSessionsRequest> {
    const { registry, chatLog, inTransfer } = this.#options;
    const signal = AbortSignal.timeout(this.#callOptions().timeoutMs);
    const account_ids = [...new Set(batch.map(({ account }) => account.id))];
    const prepared = await peer.prepareSessions({ account_ids }, this.#callOptions());
    return await chatLog.betweenTransactions(
      signal,
      (cursor) => {
        // Sessions that were resumed elsewhere meanwhile are gone.
        const here = batch.filter(({ id }) => registry.get(id) !== undefined);
        for (const { id } of here) inTransfer.add(id);
        return { sessions: here.map((session) => transferredSession(session, BATCH_KEPT_BYTES)), cursor };
      },
      readCursor(prepared.cursor).seen,
    );
  }

  /** False after a timeout: the replica may have accepted them, so another one could duplicate them. */
  async #areAccepted(peer: Peer, request: AcceptSessionsRequest): Promise<boolean> {
    try {
      await peer.acceptSessions(request, this.#callOptions());
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.DEADLINE_EXCEEDED) throw error;
      this.#failures.set(peer, this.#failuresOf(peer) + 1);
      return false;
    }
  }

  #callOptions(): { timeoutMs: number; caller: Caller } {
    const left_ms = Math.floor(this.#deadline - performance.now());
    return { timeoutMs: Math.max(1, Math.min(CALL_TIMEOUT_MS, left_ms)), caller: anonymous };
  }
}

const NEVER_AGAIN = Number.POSITIVE_INFINITY;

/** Stopping replicas refuse sessions, including this one if it is among the peers. */
function isStopping(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'STOPPING';
}

function batchesOf(sessions: readonly Session[]): Session[][] {
  const batches: Session[][] = [];
  let batch: Session[] = [];
  let keptBytes = 0;
  for (const session of sessions) {
    keptBytes += session.buffer.keptBytes();
    if (batch.length === 0 || batch.length === BATCH_SESSIONS || keptBytes > BATCH_KEPT_BYTES) {
      batch = [];
      batches.push(batch);
      keptBytes = session.buffer.keptBytes();
    }
    batch.push(session);
  }
  return batches;
}
