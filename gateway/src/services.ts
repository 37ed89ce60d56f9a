import type { Logger } from '@gatehouse/kit/log';
import { type Certificates, type Connection, connect, type Transport } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { ServerName } from '@gatehouse/proto/peers';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Limits } from './limit/limits.ts';

/** Every service that the edge speaks to. */
export const SERVICES = {
  ratelimit: RatelimitServiceDefinition,
  auth: AuthServiceDefinition,
  chat: ChatServiceDefinition,
  oauth2: Oauth2ServiceDefinition,
  webhook_delivery: WebhookDeliveryServiceDefinition,
} as const;

/** The names in their certificates. */
export const SERVER_NAMES = {
  ratelimit: 'ratelimit',
  auth: 'auth',
  chat: 'chat',
  oauth2: 'oauth2',
  webhook_delivery: 'webhook-delivery',
} as const satisfies Record<ServiceName, ServerName>;

export type Services = typeof SERVICES;
export type ServiceName = keyof Services;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export type ServiceConnections = { readonly [S in ServiceName]: Connection<Services[S]> };

/** What the pipeline asks: the services, and for rate limits what stands between it and ratelimit. */
export type Connections = ServiceConnections & { readonly limits: Limits };

export interface ServiceOptions {
  readonly transport: Transport;
  /** For mutual TLS. */
  readonly certificates: Certificates | undefined;
  readonly log: Logger;
}

export function connectServices(
  addresses: Readonly<Record<ServiceName, string>>,
  { transport, certificates, log }: ServiceOptions,
): ServiceConnections {
  const to = <S extends ServiceName>(name: S): Connection<Services[S]> =>
    connect<Services[S]>(SERVICES[name], {
      address: addresses[name],
      transport,
      log,
      tls: certificates && { certificates, peer: SERVER_NAMES[name] },
    });
  return {
    ratelimit: to('ratelimit'),
    auth: to('auth'),
    chat: to('chat'),
    oauth2: to('oauth2'),
    webhook_delivery: to('webhook_delivery'),
  };
}
