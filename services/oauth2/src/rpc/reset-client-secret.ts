import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetClientSecretRequest, ResetClientSecretResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { changeApplication } from '../store/applications.ts';
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
    const client_secret_hash = clientSecretHash(client_secret);
    const application = await changeApplication(prisma, id, { client_secret_hash });
    if (application === undefined) throw unknownApplication(); // deleted meanwhile
    return { application: { ...ownedApplication(application, bots.get(id)), client_secret } };
  };
}
