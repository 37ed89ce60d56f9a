import type { Handler } from '@gatehouse/kit/rpc';
import type { ListClientSecretsRequest, ListClientSecretsResponse } from '@gatehouse/proto/oauth2';
import { clientSecretView } from '../applications/client-secret-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { findClientSecrets } from '../store/client-secrets.ts';

export function listClientSecrets({
  db,
  prisma,
}: Deps): Handler<ListClientSecretsRequest, ListClientSecretsResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    return { secrets: (await findClientSecrets(db, id)).map((secret) => clientSecretView(secret)) };
  };
}
