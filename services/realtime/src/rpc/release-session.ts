import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { NO_SESSION } from '../session-transfer/no-session.ts';
import { transferredSession } from '../session-transfer/transferred-session.ts';
import type { Session } from '../sessions/session.ts';

/** Maximum bytes of kept dispatches, so that the response fits into a message. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export function releaseSession(deps: Deps): Handler<ReleaseSessionRequest, ReleaseSessionResponse> {
  return async (request, { signal }) => {
    const { seen } = readCursor(request.cursor);
    if (claimedSession(deps, request) === undefined) return notHere(deps, request.session_id);
    return await deps.chatLog.betweenTransactions(
      signal,
      (cursor) => {
        // Nobody would take the session of an aborted call.
        const session = signal.aborted ? undefined : claimedSession(deps, request);
        if (session === undefined) return notHere(deps, request.session_id);
        return release(deps, session, Number(request.seq), cursor);
      },
      seen,
    );
  };
}

/** The session of this credential. Undefined while it is being transferred to another replica. */
function claimedSession(
  { registry, inTransfer }: Deps,
  { session_id, account_id, credential_id }: ReleaseSessionRequest,
): Session | undefined {
  if (inTransfer.has(session_id)) return undefined;
  const session = registry.get(session_id);
  const isTheirs = session?.account.id === account_id && session.credential_id === credential_id;
  return isTheirs ? session : undefined;
}

function notHere({ inTransfer, transferred }: Deps, session_id: string): ReleaseSessionResponse {
  return { ...NO_SESSION, moved: inTransfer.has(session_id) || transferred.has(session_id) };
}

/** Ends the session here, and returns it as of `cursor`. A wrong Resume does not claim it. */
function release(
  { registry, transferred, countTransferred }: Deps,
  session: Session,
  seq: number,
  cursor: string,
): ReleaseSessionResponse {
  if (!session.wasSent(seq)) return { ...NO_SESSION, invalid_sequence: true };
  if (seq + 1 < session.buffer.first()) return NO_SESSION;
  const released = transferredSession(session, MAX_KEPT_BYTES);
  registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
  transferred.add(session.id);
  countTransferred(1);
  return { ...NO_SESSION, session: released, cursor };
}
