import type { Outbox } from '@gatehouse/kit/outbox';
import type { FairBudget } from '@gatehouse/kit/queues/fair-budget';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import type { ExecutionTracker } from './deliveries/execution-tracker.ts';
import type { PrismaClient } from './store/prisma.ts';
import type { WebhookLookup } from './store/webhook-lookup.ts';

/** The dependencies of the RPCs, made by `start`. */
export interface Deps {
  readonly db: Pool;
  /** Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** Returns a new snowflake. */
  readonly ids: () => string;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
  /** The public URL of the edge, without a trailing slash. */
  readonly base_url: string;
  /** Sends changes of webhooks to chat. */
  readonly webhookChanges: Pick<Outbox<RecordWebhookChangeRequest>, 'send'>;
  readonly executions: ExecutionTracker;
  readonly webhooks: WebhookLookup;
  /** Limits the memory of concurrent lists of guilds' webhooks. */
  readonly longAnswers: FairBudget;
}
