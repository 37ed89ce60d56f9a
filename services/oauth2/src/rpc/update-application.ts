import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateApplicationRequest, UpdateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplicationChanges } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { changeApplication } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function updateApplication({
  db,
  prisma,
  auth,
}: Deps): Handler<UpdateApplicationRequest, UpdateApplicationResponse> {
  return async ({ application_id, ...request }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const changes = readApplicationChanges(request);
    // Before the change: if auth is unavailable, the call fails without having changed anything.
    const bots = await findUsers(auth, [id], call);
    const secret = newSecret();
    const changed = await changeApplication(db, id, changes, clientSecretHash(secret));
    if (changed === undefined) throw unknownApplication(); // deleted meanwhile
    const client_secret = changed.isNewSecretUsed ? secret : undefined;
    return { application: { ...ownedApplication(changed.application, bots.get(id)), client_secret } };
  };
}
