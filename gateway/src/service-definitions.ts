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
