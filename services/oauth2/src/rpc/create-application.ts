import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateApplicationRequest, CreateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplication } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { makeBot } from '../applications/bots.ts';
import { requireAccount } from '../caller.ts';
import { clientSecretHash, newClientSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { reservationLapsed, tooManyApplications } from '../errors.ts';
import { insertApplication } from '../store/applications.ts';
import { deleteReservation, reserveApplication } from '../store/reservations.ts';

const MAX_APPLICATIONS = 25;

/**
 * First a place among the owner's 25, which nobody sees; then the bot, at auth; last the application,
 * whole, in one statement. So the limit holds before auth is asked for anything, an application that
 * can be read has its bot, and where auth fails nothing of it can be read. A bot may be left at auth when its
 * answer is lost, or this process ends before the last step: it is ended there two minutes later (`unmade-bots.ts`).
 */
export function createApplication(deps: Deps): Handler<CreateApplicationRequest, CreateApplicationResponse> {
  const { db, ids, auth } = deps;
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const application = { id: ids(), owner_id, ...readApplication(request) };
    const { id, name } = application;

    const reserved = await reserveApplication(db, { id, owner_id, max: MAX_APPLICATIONS });
    if (!reserved) throw tooManyApplications(MAX_APPLICATIONS);
    const { bot, token } = await makeBot(auth, { application_id: id, name, owner_id }, call).catch(
      async (error: unknown) => {
        await deleteReservation(db, id);
        throw error;
      },
    );
    const client_secret = newClientSecret();
    const made = await insertApplication(db, application, clientSecretHash(client_secret));
    if (!made) throw reservationLapsed();

    return { application: { ...ownedApplication(application, { ...bot, token }), client_secret } };
  };
}
