import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateClientSecretRequest, CreateClientSecretResponse } from '@gatehouse/proto/oauth2';
import { clientSecretView } from '../applications/client-secret-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { newClientSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { noClientSecret, tooManyClientSecrets } from '../errors.ts';
import { addClientSecret } from '../store/client-secrets.ts';

export function createClientSecret({
  db,
  prisma,
  ids,
}: Deps): Handler<CreateClientSecretRequest, CreateClientSecretResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const { client_secret, stored } = newClientSecret(ids);
    const secret = await addClientSecret(db, id, stored);
    if (secret === undefined) {
      const application = await requireOwnedApplication(prisma, application_id, call);
      throw application.public ? noClientSecret() : tooManyClientSecrets();
    }
    return { secret: clientSecretView(secret, client_secret) };
  };
}
