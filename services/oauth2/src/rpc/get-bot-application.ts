import { requireBot } from '@gatehouse/kit/caller';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetBotApplicationRequest, GetBotApplicationResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { findUsers } from '../users.ts';

export function getBotApplication({
  prisma,
  auth,
}: Deps): Handler<GetBotApplicationRequest, GetBotApplicationResponse> {
  return async (_request, call) => {
    const application = await requireApplication(prisma, requireBot(call.caller), unauthorized);
    const users = await findUsers(auth, [application.id, application.owner_id], call);
    const bot = users.get(application.id);
    const owner = users.get(application.owner_id) ?? null;
    return { application: { ...ownedApplication(application, bot), owner } };
  };
}
