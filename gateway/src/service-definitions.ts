import type { MethodDefinition } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';

/** Every service that the edge speaks to. */
export const SERVICES = {
  ratelimit: RatelimitServiceDefinition,
  auth: AuthServiceDefinition,
  chat: ChatServiceDefinition,
  oauth2: Oauth2ServiceDefinition,
  webhook_delivery: WebhookDeliveryServiceDefinition,
  media: MediaServiceDefinition,
} as const;

export type Services = typeof SERVICES;
export type ServiceName = keyof Services;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** What the contract says of a row's RPC. */
export function methodOf({ service, rpc }: Endpoint): MethodDefinition {
  const method = (SERVICES[service].methods as Record<string, MethodDefinition>)[rpc];
  if (method === undefined) throw new Error(`${service} has no RPC ${rpc}`);
  return method;
}

/** The full name of an RPC's request or response message; buf lint holds the contracts to these names. */
export function messageName(endpoint: Endpoint, part: 'Request' | 'Response'): string {
  const { fullName } = SERVICES[endpoint.service];
  return `${fullName.slice(0, fullName.lastIndexOf('.'))}.${methodOf(endpoint).name}${part}`;
}

/** Where a row's calls go. */
interface Endpoint {
  readonly service: ServiceName;
  readonly rpc: string;
}
