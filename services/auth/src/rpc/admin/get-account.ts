import type { Handler } from '@gatehouse/kit/rpc';
import type { GetAccountRequest, GetAccountResponse } from '@gatehouse/proto/auth-admin';
import { requireAccountId } from '../../admin/admin-action.ts';
import { adminAccount, adminSession, securityEvent } from '../../admin/admin-views.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { findAdminAccount, findBotsOf } from '../../store/admin/admin-accounts.ts';
import { findAdminFactors, findAdminSessions } from '../../store/admin/admin-credentials.ts';
import { findSecurityEvents } from '../../store/events/security-events.ts';

const MAX_SESSIONS = 200;
const MAX_EVENTS = 50;

export function getAccount({ db, config }: Deps): Handler<GetAccountRequest, GetAccountResponse> {
  return async (request) => {
    const account_id = requireAccountId(request);
    const account = await findAdminAccount(db, account_id);
    if (account === undefined) throw unknownUser();
    const events = {
      account_id,
      kinds: null,
      since: null,
      after: null,
      before: null,
      order: 'newest first',
      limit: MAX_EVENTS,
    } as const;
    const [sessions, factors, latest, bots] = await Promise.all([
      findAdminSessions(db, account_id, MAX_SESSIONS, config),
      findAdminFactors(db, account_id),
      findSecurityEvents(db, events),
      findBotsOf(db, account_id),
    ]);
    return {
      account: adminAccount(account),
      sessions: sessions.map(adminSession),
      factors,
      has_password: account.has_password,
      security_events: latest.map(securityEvent),
      bots: bots.map(adminAccount),
    };
  };
}
