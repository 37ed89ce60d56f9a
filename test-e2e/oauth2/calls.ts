import { expect } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { bodyOf } from '../support/expect-status.ts';
import type { Application, ErrorBody } from '../support/objects.ts';
import { freshAddress, type Person } from '../support/people.ts';

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** An application with its secret, as returned to its owner. */
export interface OwnApplication extends Application {
  redirect_uris: string[];
  bot_public: boolean;
  bot_require_code_grant: boolean;
}

/** Expects an OAuth2 error: `name` in upper case is the code, and the message starts with it. */
export function expectOauthError(reply: Reply, status: number, name: string): ErrorBody {
  const body = expectError(reply, status, name.toUpperCase());
  expect(body.message).toMatch(new RegExp(`^${name}(:|$)`));
  return body;
}

/** Posts a form from an unused address, far from any limit. */
export function postForm(
  api: Api,
  path: string,
  members: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const form = new URLSearchParams(members).toString();
  return api.from(freshAddress()).post(path, form, { ...FORM, ...headers });
}

export const credentialsOf = ({ client_id, client_secret }: ClientCredentials) => ({
  client_id,
  client_secret,
});

interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

export function exchange(
  api: Api,
  client: ClientCredentials,
  members: Readonly<Record<string, string>>,
): Promise<Reply> {
  const form = { grant_type: 'authorization_code', ...credentialsOf(client), ...members };
  return postForm(api, '/oauth2/token', form);
}

/** Creates an application for `owner`. */
export async function newApplication(
  owner: Person,
  request: Readonly<Record<string, unknown>> = {},
): Promise<OwnApplication> {
  return bodyOf(await owner.api.post('/oauth2/applications', { name: 'Client', ...request }));
}

/** The redirect URL in a consent response. */
export function callbackOf(reply: Reply): URL {
  return new URL(bodyOf<{ redirect_to: string }>(reply).redirect_to);
}

export function codeOf(reply: Reply): string {
  const code = callbackOf(reply).searchParams.get('code') ?? '';
  expect(code, 'the callback has a code').toMatch(/^[A-Za-z0-9_-]{43}$/);
  return code;
}
