import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { givenSession } from '../session-transfer/given-session.ts';
import { wasSent } from '../sessions/session.ts';

/** What fits into an answer, as JSON text in a message. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024;

export function releaseSession({
  registry,
  chatLog,
  handedOver,
  moved,
  giving,
}: Deps): Handler<ReleaseSessionRequest, ReleaseSessionResponse> {
  return async ({ session_id, account_id, credential_id, cursor, seq }, { signal }) => {
    const { seen } = readCursor(cursor);
    const isMoving = () => giving.has(session_id);
    const find = () => {
      const session = isMoving() ? undefined : registry.get(session_id);
      return session?.account.id === account_id && session.credential_id === credential_id
        ? session
        : undefined;
    };
    const kept = { session: undefined, cursor: '', moved: false, invalid_sequence: false };
    const nothing = () => ({ ...kept, moved: isMoving() || moved.has(session_id) });
    if (find() === undefined) return nothing();
    return await chatLog.betweenTransactions(
      signal,
      (behind) => {
        const session = find();
        if (session === undefined || signal.aborted) return nothing(); // nobody takes it
        // A wrong Resume takes nothing over.
        if (!wasSent(session, Number(seq))) return { ...kept, invalid_sequence: true };
        if (Number(seq) + 1 < session.positions.first()) return kept;
        const given = givenSession(session, MOST_TEXT_BYTES);
        registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
        moved.add(session_id);
        handedOver(1);
        return { ...kept, session: given, cursor: behind };
      },
      seen,
    );
  };
}
