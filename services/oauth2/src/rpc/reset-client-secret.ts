import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetClientSecretRequest, ResetClientSecretResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { newClientSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { noClientSecret } from '../errors.ts';
import { replaceClientSecrets } from '../store/client-secrets.ts';
import { findUsers } from '../users.ts';

export function resetClientSecret({
  db,
  prisma,
  ids,
  auth,
}: Deps): Handler<ResetClientSecretRequest, ResetClientSecretResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    // Before the change: without auth, the old secrets would end and no response could contain the new one.
    const bots = await findUsers(auth, [id], call);
    const { client_secret, stored } = newClientSecret(ids);
    const isReplaced = await replaceClientSecrets(db, id, stored);
    // Fails if it was deleted meanwhile.
    const application = await requireOwnedApplication(prisma, application_id, call);
    if (!isReplaced) throw noClientSecret();
    return { application: { ...ownedApplication(application, bots.get(id)), client_secret } };
  };
}
