import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { transferredSession } from '../session-transfer/transferred-session.ts';

/** Kept dispatches that fit into a response as JSON text. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

const NOTHING: ReleaseSessionResponse = {
  session: undefined,
  cursor: '',
  moved: false,
  invalid_sequence: false,
};

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
    const notHere = () => ({ ...NOTHING, moved: isMoving() || transferred.has(session_id) });
    if (find() === undefined) return notHere();
    return await chatLog.betweenTransactions(
      signal,
      (received) => {
        const session = find();
        if (session === undefined || signal.aborted) return notHere(); // no replica would take it
        // A wrong Resume claims nothing.
        if (!session.wasSent(Number(seq))) return { ...NOTHING, invalid_sequence: true };
        if (Number(seq) + 1 < session.buffer.first()) return NOTHING;
        const released = transferredSession(session, MAX_KEPT_BYTES);
        registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
        transferred.add(session_id);
        countTransferred(1);
        return { ...NOTHING, session: released, cursor: received };
      },
      seen,
    );
  };
}
