import { randomBytes } from 'node:crypto';
import type { RunningEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import type { WebhookFixture } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';

export interface PlantedTokens {
  readonly secrets: readonly string[];
  /** The ID of one of the requests. */
  readonly request_id: string;
  /** Number of requests sent. */
  readonly sent: number;
}

/**
 * Sends secrets through Envoy in every part of a request that may contain one, in well-formed and malformed requests.
 */
export async function plantTokens(
  { webhook, owner }: WebhookFixture,
  { url }: RunningEnvoy,
): Promise<PlantedTokens> {
  const secrets: string[] = [webhook.token, owner.token];
  const secret = (): string => {
    const made = `planted-${randomBytes(16).toString('hex')}`;
    secrets.push(made);
    return made;
  };
  const request_id = `look-for-${randomBytes(8).toString('hex')}`;
  const hook = `/api/v1/webhooks/${webhook.id}/${webhook.token}`;
  const requests = [
    request(`GET ${hook}`, [`X-Request-Id: ${request_id}`]),
    request(`POST ${hook}/codehost`, ['Content-Type: application/json'], '{}'),
    request(`DELETE ${hook}/messages/1`),
    request(`GET ${hook}\u00ff`),
    request(`GET ${hook}`, ['Connection: Upgrade', 'Upgrade: websocket']),
    request(`GET /api/v1/webhooks/${webhook.id}/${secret()}`),
    request(`GET /api/v1/auth/reset/${secret()}`),
    request(`GET /api/v1/auth/ip-authorization/poll?ticket=${secret()}`),
    request(`GET /api/v1/oauth2/authorize?client_id=1&state=${secret()}`),
    request(`GET /connections/callback?code=${secret()}&state=${secret()}`),
    request(`GET /verify#${secret()}`),
    request(`GET /${secret()}/nowhere`),
    request('GET /api/v1/users/@me', [`Authorization: Bearer ${owner.token}`, `Cookie: a=${secret()}`]),
    request('GET /api/v1/users/@me', [`Authorization: Bot ${secret()}`, `X-${secret()}: x`]),
    request('GET /api/v1/users/@me', [`Referer: https://a.example/${secret()}`, `User-Agent: ${secret()}`]),
    `GET /api/v1/users/@me HTTP/1.1\r\nHost: ${secret()}\r\n\r\n`,
    `${secret()} /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET http://${secret()}/api/v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  for (const bytes of requests) await raw(url, Buffer.from(bytes, 'latin1'));
  return { secrets, request_id, sent: requests.length };
}
