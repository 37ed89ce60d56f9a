import { createHash, randomBytes } from 'node:crypto';
import { tokensMailed } from '../support/mail.ts';
import type { Application, Guild, SessionAnswer, Webhook } from '../support/objects.ts';
import { createGuild, createWebhook, freshAddress, type Person, register } from '../support/people.ts';
import type { SharedStack } from '../support/stack.ts';

/** One person's credentials of every kind, valid and revoked. */
export interface CredentialSet {
  readonly person: Person;
  readonly guild: Guild;
  /** Several, since each can be read 100 times in 10 s only. */
  readonly webhooks: readonly Webhook[];
  readonly session: string;
  readonly bot: string;
  /** Access tokens, named by scope. */
  readonly identify: string;
  readonly identifyEmail: string;
  readonly guilds: string;
  readonly clientSecret: string;
  readonly mailToken: string;
  /** Revoked and expired ones. */
  readonly dead: { readonly session: string; readonly bot: string; readonly accessToken: string };
}

export async function issueCredentials(stack: SharedStack): Promise<CredentialSet> {
  const home = stack.api.from(freshAddress());
  const person = await register(home);
  const { email, password, user } = person;
  const fixture = await createGuild(person);
  const webhooks: Webhook[] = [];
  while (webhooks.length < 4) webhooks.push((await createWebhook(fixture, home)).webhook);

  const made = (await person.api.post('/oauth2/applications', { name: 'x' })).json<Application>();
  const path = `/oauth2/applications/${made.id}/bot/reset-token`;
  const bot = (await person.api.post(path, { password })).json<{ token: string }>().token;

  const login = (await home.post('/auth/login', { email, password })).json<SessionAnswer>();
  await home.as(`Bearer ${login.token}`).post('/auth/logout');
  await home.post('/auth/forgot', { email });
  const [mailToken = ''] = await tokensMailed(stack.data_dir, email, 'reset');

  const grant = (scopes: string[], expires = "now() + interval '7 days'") =>
    accessToken(stack, { application_id: made.id, account_id: user.id, scopes, expires });
  return {
    person,
    guild: fixture.guild,
    webhooks,
    session: person.token,
    bot,
    identify: await grant(['identify']),
    identifyEmail: await grant(['email', 'identify']),
    guilds: await grant(['guilds']),
    clientSecret: made.client_secret,
    mailToken,
    dead: {
      session: login.token,
      bot: made.bot.token,
      accessToken: await grant(['guilds', 'identify'], "now() - interval '1 second'"),
    },
  };
}

/** Inserts an access token as the token route does: 32 random bytes as base64url, stored as SHA-256. */
export async function accessToken(
  stack: Pick<SharedStack, 'query'>,
  token: { application_id: string; account_id: string; scopes: string[]; expires: string },
): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const { application_id, account_id, scopes, expires } = token;
  await stack.query(
    'oauth2',
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     VALUES ($1, $2, $3, $4, $5, ${expires})`,
    [
      String(randomBytes(6).readUIntBE(0, 6)),
      createHash('sha256').update(value).digest(),
      application_id,
      account_id,
      scopes,
    ],
  );
  return value;
}
