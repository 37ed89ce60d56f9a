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

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** The plain records, through Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
  /** Where clients find the edge, without a slash at its end. */
  readonly base_url: string;
  /** Tells chat of changes of webhooks. */
  readonly webhookChanges: Pick<Outbox<RecordWebhookChangeRequest>, 'send'>;
  readonly executions: ExecutionTracker;
  readonly webhooks: WebhookLookup;
  /** Bounds the lists of guilds' webhooks that are being made. */
  readonly longAnswers: FairBudget;
}
