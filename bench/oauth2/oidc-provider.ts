import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { openPool } from '@gatehouse/kit/db/pool';
import { Provider } from 'oidc-provider';
import { postgresAdapter } from './postgres-adapter.ts';

const ACCESS_TOKEN_SECONDS = 604_800;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves oidc-provider on the database of DATABASE_URL, with a pool of DATABASE_POOL_SIZE; returns host:port. Like
 * oauth2 it issues opaque tokens and no ID tokens, rotates refresh tokens, and reads clients from the database.
 */
export async function oidcProvider(env: NodeJS.ProcessEnv): Promise<string> {
  const db = openPool({
    database_url: env.DATABASE_URL ?? '',
    application_name: 'oidc-provider',
    max: Number(env.DATABASE_POOL_SIZE),
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider('http://127.0.0.1', {
    adapter: postgresAdapter(db),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    scopes: ['offline_access', 'identify', 'guilds'],
    clientAuthMethods: ['client_secret_post'],
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
    },
    ttl: { AccessToken: ACCESS_TOKEN_SECONDS, RefreshToken: YEAR_SECONDS, Grant: YEAR_SECONDS },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['bench'] },
  });
  const server = createServer(provider.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `127.0.0.1:${address.port}`;
}
