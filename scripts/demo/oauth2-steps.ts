import { createHash, randomBytes } from 'node:crypto';
import type { Call } from './call.ts';
import type { Scene } from './crew-steps.ts';
import { DemoError } from './demo-error.ts';
import type { Stepper } from './steps.ts';

interface Application {
  readonly id: string;
  readonly client_secret: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Nothing listens there: the story reads the code from the redirect. */
const REDIRECT_URI = 'http://127.0.0.1:9/callback';

/** An application that one user creates and another authorizes, from registration to revocation. */
export async function runOauth2Steps({ step }: Stepper, { api, guild, token, guest }: Scene): Promise<void> {
  const oauth2 = `${api}/oauth2`;
  const { id: client_id, client_secret } = await step<Application>(
    'Ada registers an application, which has a bot. Only this response shows its secrets.',
    {
      method: 'POST',
      url: `${oauth2}/applications`,
      token,
      body: { name: 'Weather', redirect_uris: [REDIRECT_URI] },
    },
  );
  const client = { client_id, client_secret };
  const verifier = randomBytes(32).toString('base64url');
  const code = await consent('Ben grants it his identity and his guilds, as the consent page does.', {
    token: guest.token,
    body: {
      ...{ client_id, redirect_uri: REDIRECT_URI, scope: 'identify email guilds', state: 'b7Xq2' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  });
  const first = await post<Tokens>('The application exchanges the code, with its PKCE verifier.', 'token', {
    ...{
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...client,
    },
  });
  const { access_token } = first;
  await step('It reads the identity of Ben.', {
    method: 'GET',
    url: `${oauth2}/userinfo`,
    token: access_token,
  });
  await step('It reads his guilds.', { method: 'GET', url: `${api}/users/@me/guilds`, token: access_token });
  await step(
    'Other routes are closed to it.',
    { method: 'GET', url: `${api}/users/@me/channels`, token: access_token },
    403,
  );
  await post('It introspects a token.', 'introspect', { token: access_token, ...client });
  const { refresh_token } = await post<Tokens>('A week later it refreshes the pair.', 'token', {
    ...{ grant_type: 'refresh_token', refresh_token: first.refresh_token, ...client },
  });
  await consent('Ada installs its bot into the guild, where it gets a role.', {
    token,
    body: { client_id, redirect_uri: REDIRECT_URI, scope: 'bot', guild_id: guild.id, permissions: '3072' },
  });
  await post('It revokes the grant.', 'token/revoke', {
    ...{ token: refresh_token, token_type_hint: 'refresh_token', ...client },
  });
  await step(
    'Its access tokens stop working at once.',
    { method: 'GET', url: `${oauth2}/userinfo`, token: access_token },
    401,
  );

  /** Returns the code, which a browser would bring to the application. */
  async function consent(text: string, call: Pick<Call, 'token' | 'body'>): Promise<string> {
    const url = `${oauth2}/authorize/consent`;
    const { redirect_to } = await step<{ redirect_to: string }>(text, { method: 'POST', url, ...call });
    const code = new URL(redirect_to).searchParams.get('code');
    if (code === null) throw new DemoError(`There is no code in ${redirect_to}`);
    return code;
  }

  function post<T>(text: string, route: string, form: Readonly<Record<string, string>>): Promise<T> {
    return step<T>(text, { method: 'POST', url: `${oauth2}/${route}`, form });
  }
}
