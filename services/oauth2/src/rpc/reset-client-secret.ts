import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetClientSecretRequest, ResetClientSecretResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { noClientSecret, unknownApplication } from '../errors.ts';
import { findApplication, replaceClientSecret } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function resetClientSecret({
  prisma,
  auth,
}: Deps): Handler<ResetClientSecretRequest, ResetClientSecretResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    // Before the change: without auth, the old secret would end and no response could contain the new one.
    const bots = await findUsers(auth, [id], call);
    const client_secret = newSecret();
    const application = await replaceClientSecret(prisma, id, clientSecretHash(client_secret));
    if (application === undefined) {
      const isDeleted = (await findApplication(prisma, id)) === undefined;
      throw isDeleted ? unknownApplication() : noClientSecret();
    }
    return { application: { ...ownedApplication(application, bots.get(id)), client_secret } };
  };
}
