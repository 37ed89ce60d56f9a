import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Connection } from '@gatehouse/kit/rpc';
import type { ServerName } from '@gatehouse/proto/services';
import type { RateLimits } from '@gatehouse/ratelimit-client';
import type { LongJson } from './long-json/long-json.ts';
import { SERVICES, type ServiceName, type Services } from './service-definitions.ts';

/** The names of the services in their certificates. */
export const SERVER_NAMES = {
  ratelimit: 'ratelimit',
  auth: 'auth',
  chat: 'chat',
  oauth2: 'oauth2',
  webhook_delivery: 'webhook-delivery',
  media: 'media',
} as const satisfies Record<ServiceName, ServerName>;

export type ServiceConnections = { readonly [S in ServiceName]: Connection<Services[S]> };

/** What the pipeline calls: the services, the client of rate limits, and the thread that reads long JSON. */
export type Connections = ServiceConnections & { readonly limits: RateLimits; readonly long_json: LongJson };

export function connectServices(
  addresses: Readonly<Record<ServiceName, string>>,
  runtime: Runtime,
): ServiceConnections {
  const to = <S extends ServiceName>(name: S): Connection<Services[S]> =>
    runtime.connect<Services[S]>(SERVICES[name], SERVER_NAMES[name], addresses[name]);
  return {
    ratelimit: to('ratelimit'),
    auth: to('auth'),
    chat: to('chat'),
    oauth2: to('oauth2'),
    webhook_delivery: to('webhook_delivery'),
    media: to('media'),
  };
}
