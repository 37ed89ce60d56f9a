import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import * as oauth from 'openid-client';

const { GATEHOUSE_URL = 'http://127.0.0.1:8080', CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env;
const { APP_URL = `http://127.0.0.1:${PORT}` } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) exit('Set CLIENT_ID and CLIENT_SECRET to those of your application.');

/** Browsers that sign in or have signed in, by the value of their cookie. Several processes keep them in a database. */
const sessions = new Map<string, Session>();
type Session = { readonly state: string; readonly code_verifier: string; readonly name?: string };
const MAX_SESSIONS = 10_000;

const server = new URL(GATEHOUSE_URL);
const gatehouse = await oauth
  .discovery(server, CLIENT_ID, CLIENT_SECRET, undefined, {
    algorithm: 'oauth2',
    execute: server.protocol === 'http:' ? [oauth.allowInsecureRequests] : [],
  })
  .catch((error: Error) => exit(`Gatehouse does not answer at ${GATEHOUSE_URL}: ${error.message}`));

const app = Fastify();

app.get('/', (request, reply) => {
  const name = sessions.get(cookieOf(request.headers.cookie))?.name;
  const signedIn = `<p>Signed in as ${htmlOf(name ?? '')}.</p>`;
  return reply.type('text/html').send(name === undefined ? '<a href="/sign-in">Sign in</a>' : signedIn);
});

app.get('/sign-in', async (_request, reply) => {
  const session = { state: oauth.randomState(), code_verifier: oauth.randomPKCECodeVerifier() };
  const url = oauth.buildAuthorizationUrl(gatehouse, {
    redirect_uri: `${APP_URL}/callback`,
    scope: 'identify',
    state: session.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(session.code_verifier),
    code_challenge_method: 'S256',
  });
  return reply.header('set-cookie', newCookie(session)).redirect(url.href);
});

app.get('/callback', async (request, reply) => {
  const id = cookieOf(request.headers.cookie);
  const session = sessions.get(id);
  sessions.delete(id); // a session signs in once
  if (session === undefined) return reply.code(400).send('The sign-in has expired. Start again.');
  const { state: expectedState, code_verifier: pkceCodeVerifier } = session;
  const url = new URL(request.url, APP_URL);
  try {
    const tokens = await oauth.authorizationCodeGrant(gatehouse, url, { expectedState, pkceCodeVerifier });
    const user = await oauth.fetchUserInfo(gatehouse, tokens.access_token, oauth.skipSubjectCheck);
    // A new cookie, so that nobody who knew the old one is signed in too.
    return reply.header('set-cookie', newCookie({ ...session, name: user.username as string })).redirect('/');
  } catch (error) {
    return reply.code(400).send(`The sign-in failed: ${(error as Error).message}`);
  }
});

await app.listen({ port: Number(PORT) });
console.log(`Open ${APP_URL} and sign in.`);

function newCookie(session: Session): string {
  const id = randomUUID();
  if (sessions.size >= MAX_SESSIONS) sessions.delete(sessions.keys().next().value ?? '');
  sessions.set(id, session);
  return `session=${id}; Path=/; HttpOnly; SameSite=Lax${APP_URL.startsWith('https:') ? '; Secure' : ''}`;
}

function cookieOf(header = ''): string {
  return /(?:^|; )session=([^;]*)/.exec(header)?.[1] ?? '';
}

function htmlOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
