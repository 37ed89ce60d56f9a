import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { DeleteClientSecretRequest, DeleteClientSecretResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { lastClientSecret, unknownClientSecret } from '../errors.ts';
import { deleteClientSecret as deleteStored, findClientSecrets } from '../store/client-secrets.ts';

export function deleteClientSecret({
  db,
  prisma,
}: Deps): Handler<DeleteClientSecretRequest, DeleteClientSecretResponse> {
  return async ({ application_id, secret_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    if (!isSnowflake(secret_id)) throw unknownClientSecret();
    if (await deleteStored(db, id, secret_id)) return {};
    const secrets = await findClientSecrets(db, id);
    throw secrets.some((secret) => secret.id === secret_id) ? lastClientSecret() : unknownClientSecret();
  };
}
