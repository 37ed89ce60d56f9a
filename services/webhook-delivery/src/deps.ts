import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import type { WebhookRow } from './store/webhooks.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
  /** One webhook; calls of the same moment share a statement. */
  readonly findWebhook: (id: string) => Promise<WebhookRow | undefined>;
}
