import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, isOutage, Status } from '@gatehouse/kit/fault';
import { anonymous } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode, type Resume } from '../connections/connection.ts';
import type { Credential } from '../sessions/credentials.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import { NO_SESSION } from './no-session.ts';
import type { Peer, Peers } from './peers.ts';
import type { PreparedAccount } from './prepared-account.ts';

export interface SessionClaimsOptions {
  readonly peers: Pick<Peers, 'all'>;
  readonly registry: Pick<SessionRegistry, 'get'>;
  readonly prepareAccount: (account_id: string) => Promise<PreparedAccount>;
}

const CLAIM_TIMEOUT_MS = 3_000;
/** For a replica that did not answer the last call in time: other clients wait behind this Resume. */
const BRIEF_CLAIM_TIMEOUT_MS = 300;
/** Until then, a replica that does not answer may just be slow, and its sessions are not given up. */
const MAX_SLOW_MS = 10_000;
const CLAIM_RETRY_MS = 50;
/** By then, a session that is being transferred has arrived. */
const MAX_TRANSFER_MS = 5_000;

/** `late` is set if the replica did not answer in time, and may have the session. */
type Answer = ReleaseSessionResponse & { readonly late?: Fault };

/** Claims sessions that are resumed here from the other replicas. */
export class SessionClaims {
  readonly #options: SessionClaimsOptions;
  /** When the calls to each replica began to time out. */
  readonly #silentSince_ms = new WeakMap<Peer, number>();

  constructor(options: SessionClaimsOptions) {
    this.#options = options;
  }

  async claim(
    { session_id, seq }: Pick<Resume, 'session_id' | 'seq'>,
    { account_id, credential_id }: Credential,
  ): Promise<Session | CloseCode | undefined> {
    const peers = await this.#options.peers.all();
    if (peers.length === 0) return undefined;
    const prepared = await this.#options.prepareAccount(account_id);
    try {
      const request = { session_id, account_id, credential_id, cursor: prepared.cursor, seq };
      return await this.#claimFrom(peers, request, prepared);
    } finally {
      prepared.end();
    }
  }

  async #claimFrom(
    peers: readonly Peer[],
    request: ReleaseSessionRequest,
    prepared: PreparedAccount,
  ): Promise<Session | CloseCode | undefined> {
    const deadline = performance.now() + MAX_TRANSFER_MS;
    for (;;) {
      // Waits for every answer. After a late one the session might be elsewhere, perhaps here.
      const answers = await Promise.all(peers.map((peer) => this.#request(peer, request)));
      const found = answers.find(({ session }) => session != null);
      if (found?.session != null) return await prepared.accept(found.session, found.cursor);
      if (answers.some(({ invalid_sequence }) => invalid_sequence)) return CloseCode.INVALID_SEQUENCE;
      const here = this.#options.registry.get(request.session_id); // another replica may have transferred it
      if (here !== undefined) return here;
      const isMoving = answers.some(({ moved }) => moved);
      if (!isMoving || performance.now() >= deadline) return throwIfLate(answers);
      await sleep(CLAIM_RETRY_MS);
    }
  }

  async #request(peer: Peer, request: ReleaseSessionRequest): Promise<Answer> {
    const timeoutMs = this.#silentSince_ms.has(peer) ? BRIEF_CLAIM_TIMEOUT_MS : CLAIM_TIMEOUT_MS;
    try {
      const answer = await peer.releaseSession(request, { timeoutMs, caller: anonymous });
      this.#silentSince_ms.delete(peer);
      return answer;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!(error instanceof Fault) || error.status !== Status.DEADLINE_EXCEEDED) return NO_SESSION;
      const since_ms = this.#silentSince_ms.get(peer) ?? performance.now();
      this.#silentSince_ms.set(peer, since_ms);
      return performance.now() - since_ms < MAX_SLOW_MS ? { ...NO_SESSION, late: error } : NO_SESSION;
    }
  }
}

function throwIfLate(answers: readonly Answer[]): undefined {
  const late = answers.find((answer) => answer.late !== undefined)?.late;
  if (late !== undefined) throw late;
}
