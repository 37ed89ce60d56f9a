import type { MethodDefinition } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';

/** Every service that the edge calls. */
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

/** The RPCs that routes name. Go to the definition of one to read its contract; its handler has the same name. */
export const { methods: auth } = AuthServiceDefinition;
export const { methods: chat } = ChatServiceDefinition;
export const { methods: oauth2 } = Oauth2ServiceDefinition;
export const { methods: webhookDelivery } = WebhookDeliveryServiceDefinition;

/** An RPC, its service, and the name of the client's function for it. */
export interface Endpoint {
  readonly service: ServiceName;
  readonly rpc: string;
  readonly method: MethodDefinition;
}

const ENDPOINTS: ReadonlyMap<MethodDefinition, Endpoint> = new Map(
  SERVICE_NAMES.flatMap((service) => {
    const methods: Readonly<Record<string, MethodDefinition>> = SERVICES[service].methods;
    return Object.entries(methods).map(([rpc, method]) => [method, { service, rpc, method }] as const);
  }),
);

/** @throws Error for an RPC of a service that the edge does not call */
export function endpointOf(method: MethodDefinition): Endpoint {
  const endpoint = ENDPOINTS.get(method);
  if (endpoint === undefined) throw new Error(`no service of the edge has the RPC ${method.name}`);
  return endpoint;
}

/** The full name of an RPC's request or response message; buf lint enforces these names. */
export function messageName({ service, method }: Endpoint, part: 'Request' | 'Response'): string {
  const { fullName } = SERVICES[service];
  return `${fullName.slice(0, fullName.lastIndexOf('.'))}.${method.name}${part}`;
}
