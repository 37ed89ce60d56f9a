import { requireAccount } from '@gatehouse/kit/caller';
import { internal } from '@gatehouse/kit/fault';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { User } from '@gatehouse/proto/auth';
import type { Upload } from '@gatehouse/proto/media';
import type { CreateApplicationRequest, CreateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplication } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { newClientSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { reservationExpired, tooManyApplications } from '../errors.ts';
import type { Application } from '../store/application.ts';
import { insertApplication } from '../store/applications.ts';
import { deleteReservation, reserveApplication } from '../store/reservations.ts';

const MAX_APPLICATIONS = 25;
const CREATE_BOT_TIMEOUT_MS = 5_000;

/**
 * Reserves one of the 25 applications that an owner can have, creates the bot at auth, and inserts the application, in this
 * order. So the limit is checked before auth is called, and every visible application has its bot. If auth's response is lost, or this
 * process ends before the last step, a bot without an application is left. It is deleted two minutes later
 * (applications/orphaned-bots.ts).
 */
export function createApplication(deps: Deps): Handler<CreateApplicationRequest, CreateApplicationResponse> {
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const uploads = new Uploads(deps.media, call);
    let kept: Upload | null = null;
    try {
      const requested = { id: deps.ids(), owner_id, ...(await readApplication(request, uploads)) };
      const { bot, token } = await createBot(deps, requested, call);
      const secret = requested.public ? undefined : newClientSecret(deps.ids);
      kept = requested.icon; // from here on the application may use it
      const application = await insertApplication(deps.db, requested, secret?.stored);
      if (application === undefined) throw reservationExpired();
      if (kept !== null) await deps.pictureChanges.send(application.id);
      return {
        application: {
          ...ownedApplication(application, { ...bot, token }),
          client_secret: secret?.client_secret,
        },
      };
    } finally {
      uploads.dropAllBut([kept]);
    }
  };
}

/** @throws BAD_REQUEST if the owner has 25 applications */
async function createBot(
  { db, prisma, auth }: Deps,
  { id, name, owner_id }: Pick<Application, 'id' | 'name' | 'owner_id'>,
  call: Call,
): Promise<{ readonly bot: User; readonly token: string }> {
  const reserved = await reserveApplication(db, { id, owner_id, max: MAX_APPLICATIONS });
  if (!reserved) throw tooManyApplications(MAX_APPLICATIONS);
  const { bot, token } = await auth
    .createBot({ application_id: id, name, owner_id }, { timeoutMs: CREATE_BOT_TIMEOUT_MS, parent: call })
    .catch(async (error: unknown) => {
      await deleteReservation(prisma, id);
      throw error;
    });
  if (bot === null) throw internal(new Error('auth answered without a bot'));
  return { bot, token };
}
