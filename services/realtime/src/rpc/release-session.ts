import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { NO_SESSION } from '../session-transfer/no-session.ts';
import { transferredSession } from '../session-transfer/transferred-session.ts';

/** Maximum bytes of kept dispatches, so that the response fits into a message. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export function releaseSession({
  registry,
  chatLog,
  countTransferred,
  transferred,
  inTransfer,
}: Deps): Handler<ReleaseSessionRequest, ReleaseSessionResponse> {
  return async ({ session_id, account_id, credential_id, cursor, seq }, { signal }) => {
    const { seen } = readCursor(cursor);
    const isMoving = () => inTransfer.has(session_id);
    const find = () => {
      const session = isMoving() ? undefined : registry.get(session_id);
      return session?.account.id === account_id && session.credential_id === credential_id
        ? session
        : undefined;
    };
    const notHere = () => ({ ...NO_SESSION, moved: isMoving() || transferred.has(session_id) });
    if (find() === undefined) return notHere();
    return await chatLog.betweenTransactions(
      signal,
      (received) => {
        const session = find();
        if (session === undefined || signal.aborted) return notHere(); // nobody would take the session
        // A wrong Resume does not claim the session.
        if (!session.wasSent(Number(seq))) return { ...NO_SESSION, invalid_sequence: true };
        if (Number(seq) + 1 < session.buffer.first()) return NO_SESSION;
        const released = transferredSession(session, MAX_KEPT_BYTES);
        registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
        transferred.add(session_id);
        countTransferred(1);
        return { ...NO_SESSION, session: released, cursor: received };
      },
      seen,
    );
  };
}
