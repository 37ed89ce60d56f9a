import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { EndSessionsRequest, EndSessionsResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { readSessionChoice } from '../../sessions/session-choice.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endAllSessions, endNamedSessions } from '../../store/sessions/sessions.ts';

export function endSessions({ db, ids, counts }: Deps): Handler<EndSessionsRequest, EndSessionsResponse> {
  return async (request, { caller }) => {
    const { account_id, session_id } = requireSession(caller);
    const choice = readSessionChoice(request);
    await inTransaction(db, async (tx) => {
      // Serializes this with password changes and deletions, which end sessions too.
      if ((await lockAccount(tx, account_id)) === undefined) return;
      const count =
        choice.which === 'named'
          ? await endNamedSessions(tx, account_id, choice.id_hashes)
          : await endAllSessions(tx, account_id, choice.which === 'others' ? session_id : undefined);
      if (count === 0) return; // nothing for the audit log
      counts.sessionsEnded('chosen', count);
      const detail = { which: choice.which, count };
      await insertSecurityEvent(tx, ids(), { kind: 'sessions.ended', account_id, caller, detail });
    });
    return {};
  };
}
