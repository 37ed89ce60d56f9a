import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateApplicationRequest, CreateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplication } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { makeBot } from '../applications/bots.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { reservationExpired, tooManyApplications } from '../errors.ts';
import { insertApplication } from '../store/applications.ts';
import { deleteReservation, reserveApplication } from '../store/reservations.ts';

const MAX_APPLICATIONS = 25;

/**
 * Reserves one of the owner's 25 places, creates the bot at auth, and inserts the application, in this order. So the
 * limit is checked before auth is called, and every visible application has its bot. If auth's answer is lost, or this
 * process ends before the last step, a bot without an application is left. It is deleted two minutes later
 * (`unmade-bots.ts`).
 */
export function createApplication(deps: Deps): Handler<CreateApplicationRequest, CreateApplicationResponse> {
  const { db, prisma, ids, auth } = deps;
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const application = { id: ids(), owner_id, ...readApplication(request) };
    const { id, name } = application;

    const reserved = await reserveApplication(db, { id, owner_id, max: MAX_APPLICATIONS });
    if (!reserved) throw tooManyApplications(MAX_APPLICATIONS);
    const { bot, token } = await makeBot(auth, { application_id: id, name, owner_id }, call).catch(
      async (error: unknown) => {
        await deleteReservation(prisma, id);
        throw error;
      },
    );
    const client_secret = newSecret();
    const made = await insertApplication(db, application, clientSecretHash(client_secret));
    if (!made) throw reservationExpired();

    return { application: { ...ownedApplication(application, { ...bot, token }), client_secret } };
  };
}
