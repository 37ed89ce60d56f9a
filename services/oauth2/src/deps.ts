import type { Outbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import type { Hardening } from './hardening.ts';
import type { BatchedStatements } from './store/batched-statements.ts';
import type { EndedBot } from './store/ended-bots.ts';
import type { PrismaClient } from './store/prisma.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** Plain records, through Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly batched: BatchedStatements;
  /** Bots whose application was deleted. */
  readonly endedBots: Outbox<EndedBot>;
  /** The web app, without a slash at its end. */
  readonly web_app_url: string;
  /** Where clients find the edge, without a path. */
  readonly issuer: string;
  /** The parameter `iss` of callbacks (RFC 9207); undefined: they have none. */
  readonly iss: string | undefined;
  readonly hardening: Hardening;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
}
