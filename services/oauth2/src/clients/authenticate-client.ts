import { hash, timingSafeEqual } from 'node:crypto';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { invalidClient, invalidClientSecret, invalidRequest } from '../errors.ts';
import type { ClientCredentials } from './client-credentials.ts';

/**
 * The ID of the application that a request of the token routes comes from (docs/oauth2.md#client-authentication).
 *
 * @throws INVALID_CLIENT, INVALID_REQUEST, INVALID_CLIENT_SECRET
 */
export async function authenticateClient(
  { findClient }: Pick<Deps, 'findClient'>,
  { client_id, client_secret }: ClientCredentials,
): Promise<string> {
  if (client_id === undefined || !isSnowflake(client_id)) throw invalidClient();
  const client = await findClient(client_id);
  if (client === undefined) throw invalidClient();
  if (client_secret === undefined) throw invalidRequest('The client secret is missing.');
  const given = hash('sha256', client_secret, 'buffer');
  if (!timingSafeEqual(given, Buffer.from(client.client_secret_hash, 'hex'))) throw invalidClientSecret();
  return client.id;
}
