import { Fault } from '@gatehouse/kit/fault';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import type { Oauth2, Oauth2UnderTest } from './oauth2.ts';
import { IN_TIME, newPerson, settings } from './requests.ts';

export const REDIRECT_URI = 'https://client.test/callback?from=gatehouse';

/** An application as a client, and a user who can consent. */
export interface ClientAndPerson {
  readonly client_id: string;
  readonly client_secret: string;
  readonly owner: Caller;
  readonly person: Caller;
}

export async function newClient({ oauth2, auth }: Oauth2UnderTest): Promise<ClientAndPerson> {
  const owner = await newPerson(auth);
  const request = settings({ redirect_uris: [REDIRECT_URI] });
  const { application } = await oauth2.createApplication(request, { ...IN_TIME, caller: owner });
  if (application?.client_secret == null) throw new Error('the response has no client secret');
  const { id: client_id, client_secret } = application;
  return { client_id, client_secret, owner, person: await newPerson(auth) };
}

/** A form as it arrives at the token routes. */
export function formOf(members: Readonly<Record<string, string>>) {
  return {
    content_type: 'application/x-www-form-urlencoded',
    body: Buffer.from(new URLSearchParams(members).toString()),
  };
}

/** HTTP Basic of texts, without encoding. */
export function basicOf(client_id: string, client_secret: string): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
}

/** Consents, and returns the code. */
export async function newCode(
  oauth2: Oauth2,
  { client_id, person }: ClientAndPerson,
  changes: Partial<GrantConsentRequest> = {},
): Promise<string> {
  const request = { client_id, scope: 'identify email', redirect_uri: REDIRECT_URI, ...changes };
  const { redirect_to } = await oauth2.grantConsent(request, { ...IN_TIME, caller: person });
  const code = new URL(redirect_to).searchParams.get('code');
  if (code === null) throw new Error('the consent returned no code');
  return code;
}

/** Exchanges a code. */
export function exchange(
  oauth2: Oauth2,
  { client_id, client_secret }: ClientAndPerson,
  code: string,
  changes: Readonly<Record<string, string>> = {},
) {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id,
    client_secret,
  };
  return oauth2.exchangeToken(formOf({ ...form, ...changes }), IN_TIME);
}

/** Exchanges a refresh token. */
export function refresh(
  oauth2: Oauth2,
  { client_id, client_secret }: ClientAndPerson,
  refresh_token: string,
) {
  const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret };
  return oauth2.exchangeToken(formOf(form), IN_TIME);
}

/** The outcome of a call: `ok`, or the public code of its fault. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
}
