import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Client } from '@gatehouse/kit/rpc';
import { AuthAdminServiceDefinition } from '@gatehouse/proto/auth-admin';
import { ChatAdminServiceDefinition } from '@gatehouse/proto/chat-admin';
import { Oauth2AdminServiceDefinition } from '@gatehouse/proto/oauth2-admin';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { RatelimitAdminServiceDefinition } from '@gatehouse/proto/ratelimit-admin';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { WebhookDeliveryAdminServiceDefinition } from '@gatehouse/proto/webhook-delivery-admin';
import type { Addresses } from './config.ts';

/** The services that the console calls, by what they own. */
export interface Clients {
  readonly auth: Client<typeof AuthAdminServiceDefinition>;
  readonly chat: Client<typeof ChatAdminServiceDefinition>;
  readonly oauth2: Client<typeof Oauth2AdminServiceDefinition>;
  readonly limits: Client<typeof RatelimitAdminServiceDefinition>;
  /** Of this one, what explains limits. */
  readonly ratelimit: Client<typeof RatelimitServiceDefinition>;
  readonly webhooks: Client<typeof WebhookDeliveryAdminServiceDefinition>;
  /** Of this one, the deliveries of a webhook. */
  readonly deliveries: Client<typeof WebhookDeliveryServiceDefinition>;
}

/** Connects to the services. None of them has to run. */
export function openClients(runtime: Runtime, addresses: Addresses): Clients {
  const { auth, chat, oauth2, ratelimit, webhook_delivery } = addresses;
  return {
    auth: runtime.client(AuthAdminServiceDefinition, 'auth', auth),
    chat: runtime.client(ChatAdminServiceDefinition, 'chat', chat),
    oauth2: runtime.client(Oauth2AdminServiceDefinition, 'oauth2', oauth2),
    limits: runtime.client(RatelimitAdminServiceDefinition, 'ratelimit', ratelimit),
    ratelimit: runtime.client(RatelimitServiceDefinition, 'ratelimit', ratelimit),
    webhooks: runtime.client(WebhookDeliveryAdminServiceDefinition, 'webhook-delivery', webhook_delivery),
    deliveries: runtime.client(WebhookDeliveryServiceDefinition, 'webhook-delivery', webhook_delivery),
  };
}
