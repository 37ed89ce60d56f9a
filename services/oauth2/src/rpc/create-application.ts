import { requireAccount } from '@gatehouse/kit/caller';
import { internal } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateApplicationRequest, CreateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplication } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { clientSecretHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { reservationExpired, tooManyApplications } from '../errors.ts';
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
  const { db, prisma, ids, auth } = deps;
  return async (request, call) => {
    const owner_id = requireAccount(call.caller);
    const application = { id: ids(), owner_id, ...readApplication(request) };
    const { id, name } = application;

    const reserved = await reserveApplication(db, { id, owner_id, max: MAX_APPLICATIONS });
    if (!reserved) throw tooManyApplications(MAX_APPLICATIONS);
    const { bot, token } = await auth
      .createBot({ application_id: id, name, owner_id }, { timeoutMs: CREATE_BOT_TIMEOUT_MS, parent: call })
      .catch(async (error: unknown) => {
        await deleteReservation(prisma, id);
        throw error;
      });
    if (bot === null) throw internal(new Error('auth answered without a bot'));
    const client_secret = application.public ? undefined : newSecret();
    const secret_hash = client_secret === undefined ? null : clientSecretHash(client_secret);
    const inserted = await insertApplication(db, application, secret_hash);
    if (!inserted) throw reservationExpired();

    return { application: { ...ownedApplication(application, { ...bot, token }), client_secret } };
  };
}
