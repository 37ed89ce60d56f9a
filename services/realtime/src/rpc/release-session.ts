import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { givenSession } from '../hand-over/given-session.ts';

export function releaseSession({
  registry,
  chatLog,
  handedOver,
  moved,
  giving,
}: Deps): Handler<ReleaseSessionRequest, ReleaseSessionResponse> {
  return async ({ session_id, account_id, credential_id, cursor }, { signal }) => {
    const { seen } = readCursor(cursor);
    const isMoving = () => giving.has(session_id);
    const find = () => {
      const session = isMoving() ? undefined : registry.get(session_id);
      return session?.account.id === account_id && session.credential_id === credential_id
        ? session
        : undefined;
    };
    const nothing = () => ({ session: undefined, cursor: '', moved: isMoving() || moved.has(session_id) });
    if (find() === undefined) return nothing();
    return await chatLog.atRest(
      signal,
      (behind) => {
        const session = find();
        if (session === undefined) return nothing();
        const given = givenSession(session);
        registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
        moved.add(session_id);
        handedOver(1);
        return { session: given, cursor: behind, moved: false };
      },
      seen,
    );
  };
}
