import { hash, timingSafeEqual } from 'node:crypto';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { invalidClient, invalidClientSecret, invalidRequest } from '../errors.ts';
import type { OauthClient } from '../store/clients.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** Stands for the second secret of a client that has one. */
const NO_HASH = '00'.repeat(32);

/**
 * Authenticates the client of a token route (docs/oauth2.md#client-authentication).
 *
 * @returns the ID of its application
 * @throws INVALID_CLIENT, INVALID_REQUEST, INVALID_CLIENT_SECRET
 */
export async function authenticateClient(
  deps: Pick<Deps, 'batched' | 'secretUses'>,
  credentials: ClientCredentials,
): Promise<string> {
  const client_id = claimedClientId(credentials);
  const client = client_id === undefined ? undefined : await deps.batched.findClient(client_id);
  return verifyClient(deps, client, credentials);
}

/** The client ID of the request; undefined if it is missing or malformed. */
export function claimedClientId({ client_id }: ClientCredentials): string | undefined {
  return client_id !== undefined && isSnowflake(client_id) ? client_id : undefined;
}

/** Verifies the secret of a client, which a public client does not have. Returns its ID. @throws like `authenticateClient` */
export function verifyClient(
  { secretUses }: Pick<Deps, 'secretUses'>,
  client: OauthClient | undefined,
  { client_secret }: ClientCredentials,
): string {
  if (client === undefined) throw invalidClient();
  const { id, client_secret_hash, second_secret_hash } = client;
  if (client_secret_hash === null) {
    if (client_secret !== undefined) throw invalidClientSecret();
    return id;
  }
  if (client_secret === undefined) throw invalidRequest('The client secret is missing.');
  const given = hash('sha256', client_secret, 'buffer');
  // Both are compared whatever the first comparison says, so the time does not tell which one it was.
  const isFirst = timingSafeEqual(given, Buffer.from(client_secret_hash, 'hex'));
  const isSecond = timingSafeEqual(given, Buffer.from(second_secret_hash ?? NO_HASH, 'hex'));
  if (!(isFirst || (isSecond && second_secret_hash !== null))) throw invalidClientSecret();
  secretUses.note({ application_id: id, hash: given.toString('hex') });
  return id;
}
