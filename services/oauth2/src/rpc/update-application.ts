import type { Handler } from '@gatehouse/kit/rpc';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { Upload } from '@gatehouse/proto/media';
import type { UpdateApplicationRequest, UpdateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplicationChanges } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import { newClientSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { changeApplication } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function updateApplication(deps: Deps): Handler<UpdateApplicationRequest, UpdateApplicationResponse> {
  return async ({ application_id, ...request }, call) => {
    const { id } = await requireOwnedApplication(deps.prisma, application_id, call);
    const uploads = new Uploads(deps.media, call);
    let kept: Upload | null | undefined;
    try {
      const changes = await readApplicationChanges(request, uploads);
      // Before the change: if auth is unavailable, the call fails without having changed anything.
      const bots = await findUsers(deps.auth, [id], call);
      const secret = newClientSecret(deps.ids);
      kept = changes.icon; // from here on the application may use it
      const changed = await changeApplication(deps.db, id, changes, secret.stored);
      if (changed === undefined) throw unknownApplication(); // deleted meanwhile
      if (kept !== undefined) await deps.pictureChanges.send(id);
      const client_secret = changed.isNewSecretUsed ? secret.client_secret : undefined;
      return { application: { ...ownedApplication(changed.application, bots.get(id)), client_secret } };
    } finally {
      uploads.dropAllBut([kept]);
    }
  };
}
