import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import type { Application } from '../support/objects.ts';
import { newcomer, type Person } from '../support/people.ts';

export const REDIRECT_URI = 'https://client.test/callback';

/** An OAuth2 client with its owner, and another person to consent. */
export interface OauthClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly application: Application;
  readonly owner: Person;
  readonly person: Person;
}

export async function newOauthClient(api: Api, redirect_uri = REDIRECT_URI): Promise<OauthClient> {
  const owner = await newcomer(api);
  const request = { name: 'Client', redirect_uris: [redirect_uri] };
  const reply = await owner.api.post('/oauth2/applications', request);
  expect(reply.status, reply.text).toBe(200);
  const application = reply.json<Application>();
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
  expect(reply.status, reply.text).toBe(200);
  return new URL(reply.json<{ redirect_to: string }>().redirect_to);
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
