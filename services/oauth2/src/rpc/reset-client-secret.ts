import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetClientSecretRequest, ResetClientSecretResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwned } from '../applications/require-owned.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { replaceClientSecret } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function resetClientSecret({
  prisma,
  auth,
}: Deps): Handler<ResetClientSecretRequest, ResetClientSecretResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwned(prisma, application_id, call);
    // Before the old secret ends: while auth is unavailable, there would be no answer with the new one.
    const bots = await findUsers(auth, [id], call);
    const client_secret = newSecret();
    const application = await replaceClientSecret(prisma, id, clientSecretHash(client_secret));
    if (application === undefined) throw unknownApplication(); // deleted meanwhile
    return { application: { ...ownedApplication(application, bots.get(id)), client_secret } };
  };
}
