import { unauthorized } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import { VERSION } from '@gatehouse/kit/version';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyOf, readText } from '../body.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { draftTotp, type Enrolling, enrolPasskey, enrolPassword } from '../sign-in/enrol.ts';
import { registrationOptions } from '../sign-in/registration.ts';
import { relyingParty } from '../sign-in/relying-party.ts';
import { deleteSession } from '../store/sessions.ts';
import { clearSession, setSession } from './cookie.ts';
import { operatorOf } from './signed-in.ts';

const PASSWORD = { min: 12, max: 1_024 };
const CODE = { min: 6, max: 6 };

/** The routes that a session of a one-time link may use too: who it is, how to sign in from now on, and the end. */
export function registerEnrol(app: FastifyInstance, deps: Deps): void {
  app.get('/api/me', async (request) => {
    const { name, role, enrolling, has_factor, by } = operatorOf(request);
    return { name, role, version: VERSION, state: enrolling ? 'enrol' : 'signed_in', has_factor, by };
  });

  app.post('/api/sign-out', async (request, reply) => {
    const { session } = operatorOf(request);
    if (session !== undefined) await deleteSession(deps.db, session);
    clearSession(reply, deps);
    return {};
  });

  app.post('/api/enrol/totp', async (request) => draftTotp(deps, enrollingOf(request)));

  app.post('/api/enrol/password', async (request, reply) => {
    const form = new Form();
    const body = bodyOf(request.body);
    const password = readText(form, body, 'password', PASSWORD);
    const code = readText(form, body, 'code', CODE);
    form.check();
    const enrolling = enrollingOf(request);
    // By address alone: wrong sign-ins of strangers do not keep the owner of the link out.
    const succeed = deps.wrong_sign_ins.begin({ ip: enrolling.ip });
    setSession(reply, deps, await enrolPassword(deps, enrolling, { password, code }));
    succeed();
    return { state: 'signed_in', name: enrolling.name };
  });

  app.post('/api/enrol/passkey/options', async (request) =>
    registrationOptions(deps.db, relyingParty(deps.url()), enrollingOf(request).name),
  );

  app.post('/api/enrol/passkey', async (request, reply) => {
    const enrolling = enrollingOf(request);
    setSession(reply, deps, await enrolPasskey(deps, enrolling, bodyOf(request.body).response));
    return { state: 'signed_in', name: enrolling.name };
  });
}

/**
 * The session that may set up how to sign in: one of a link, or any while there is no factor.
 *
 * @throws BAD_REQUEST if there is one
 */
function enrollingOf(request: FastifyRequest): Enrolling {
  const { name, ip, session, has_factor } = operatorOf(request);
  if (session === undefined) throw unauthorized();
  if (has_factor)
    throw badRequest('How this operator signs in is set up already. A new one-time link replaces it.');
  return { name, ip, session };
}
