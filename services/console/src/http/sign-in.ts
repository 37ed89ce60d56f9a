import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance } from 'fastify';
import { bodyOf, readText } from '../body.ts';
import type { Deps } from '../deps.ts';
import { assertionOptions } from '../sign-in/assertion.ts';
import { relyingParty } from '../sign-in/relying-party.ts';
import { signInByPasskey, signInByPassword } from '../sign-in/sign-in.ts';
import { openLink } from '../sign-in/use-link.ts';
import { addressOf } from './authenticate.ts';
import { setSession } from './cookie.ts';
import { isFromThisMachine, requireOwnSite } from './origin.ts';

const NAME = { min: 1, max: 64 };
const PASSWORD = { min: 1, max: 1_024 };
const CODE = { min: 6, max: 6 };
const LINK = { min: 1, max: 64 };

/** The routes that need no session. Each sets the cookie of one. */
export function registerSignIn(app: FastifyInstance, deps: Deps): void {
  const ipOf = addressOf(deps);
  app.addHook('onRequest', async (request) => requireOwnSite(request));

  app.post('/api/sign-in/link', async (request, reply) => {
    const form = new Form();
    const link_token = readText(form, bodyOf(request.body), 'token', LINK);
    form.check();
    const is_local = isFromThisMachine(request);
    const { state, name, token } = await openLink(deps, { link_token, ip: ipOf(request), is_local });
    if (token !== undefined) setSession(reply, deps, token);
    return { state, name };
  });

  app.post('/api/sign-in/password', async (request, reply) => {
    const form = new Form();
    const body = bodyOf(request.body);
    const name = readText(form, body, 'name', NAME);
    const password = readText(form, body, 'password', PASSWORD);
    const code = readText(form, body, 'code', CODE);
    form.check();
    setSession(reply, deps, await signInByPassword(deps, { name, password, code, ip: ipOf(request) }));
    return { state: 'signed_in', name };
  });

  app.post('/api/sign-in/passkey/options', async (request) => {
    const form = new Form();
    const name = readText(form, bodyOf(request.body), 'name', NAME);
    form.check();
    deps.wrong_sign_ins.beginChallenge({ ip: ipOf(request) });
    return assertionOptions(deps.db, relyingParty(deps.url()), name, deps.config.secret_key);
  });

  app.post('/api/sign-in/passkey', async (request, reply) => {
    const form = new Form();
    const body = bodyOf(request.body);
    const name = readText(form, body, 'name', NAME);
    form.check();
    setSession(
      reply,
      deps,
      await signInByPasskey(deps, { name, response: body.response, ip: ipOf(request) }),
    );
    return { state: 'signed_in', name };
  });
}
