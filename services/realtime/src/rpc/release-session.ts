import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ReleaseSessionRequest, ReleaseSessionResponse } from '@gatehouse/proto/realtime';
import { CloseCode } from '../connections/connection.ts';
import type { Deps } from '../deps.ts';
import { givenSession } from '../hand-over/given-session.ts';

export function releaseSession({
  registry,
  chatLog,
  giving,
  handedOver,
}: Deps): Handler<ReleaseSessionRequest, ReleaseSessionResponse> {
  return async ({ session_id, account_id, credential_id, cursor }, { signal }) => {
    const { seen } = readCursor(cursor);
    const find = () => {
      const session = registry.get(session_id);
      return session?.account.id === account_id && session.credential_id === credential_id
        ? session
        : undefined;
    };
    for (;;) {
      await giving.over(session_id);
      if (find() === undefined) return NOT_HERE;
      const released = await chatLog.atRest(
        signal,
        (behind) => {
          if (giving.has(session_id)) return undefined;
          const session = find();
          if (session === undefined) return NOT_HERE;
          const given = givenSession(session);
          registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
          handedOver(1);
          return { session: given, cursor: behind };
        },
        seen,
      );
      if (released !== undefined) return released;
    }
  };
}

const NOT_HERE = { session: undefined, cursor: '' };
