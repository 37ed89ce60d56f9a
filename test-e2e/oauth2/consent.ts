import type { Api } from '../support/api.ts';
import { newcomer, type Person } from '../support/people.ts';
import { callbackOf, newApplication, type OwnApplication } from './calls.ts';

export const REDIRECT_URI = 'https://client.test/callback';

/** An OAuth2 client with its owner, and another person to consent. */
export interface OauthClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly application: OwnApplication;
  readonly owner: Person;
  readonly person: Person;
}

/** Creates an OAuth2 client of a new owner. */
export async function newOauthClient(
  api: Api,
  request: Readonly<Record<string, unknown>> = {},
): Promise<OauthClient> {
  const owner = await newcomer(api);
  const application = await newApplication(owner, { redirect_uris: [REDIRECT_URI], ...request });
  const { id: client_id, client_secret } = application;
  return { client_id, client_secret, application, owner, person: await newcomer(api) };
}

/** Consents to an authorization URL as the consent page does. Returns the callback. */
export function consent(person: Person, authorization_url: string | URL): Promise<URL> {
  return answer(person, 'consent', authorization_url);
}

/** Refuses an authorization URL as the consent page does. Returns the callback. */
export function refuseConsent(person: Person, authorization_url: string | URL): Promise<URL> {
  return answer(person, 'refuse', authorization_url);
}

async function answer({ api }: Person, how: string, authorization_url: string | URL): Promise<URL> {
  const parameters = new URL(authorization_url).searchParams;
  const reply = await api.post(`/oauth2/authorize/${how}`, Object.fromEntries(parameters));
  return callbackOf(reply);
}

/** Consents, and returns the code. */
export async function newCode(
  { client_id, person }: OauthClient,
  changes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const query = { client_id, redirect_uri: REDIRECT_URI, scope: 'identify email', ...changes };
  const callback = await consent(person, `https://app.test/oauth2/authorize?${new URLSearchParams(query)}`);
  return callback.searchParams.get('code') ?? '';
}
