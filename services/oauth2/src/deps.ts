import type { Outbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import type { Hardening } from './hardening.ts';
import type { BatchedStatements } from './store/batched-statements.ts';
import type { DeletedBot } from './store/deleted-bots.ts';
import type { PrismaClient } from './store/prisma.ts';

/** The dependencies of the RPCs, made by `start`. */
export interface Deps {
  readonly db: Pool;
  /** Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** Returns a new snowflake. */
  readonly ids: () => string;
  readonly batched: BatchedStatements;
  /** Deletes the bots of deleted applications. */
  readonly deletedBots: Outbox<DeletedBot>;
  /** The URL of the web app, without a trailing slash. */
  readonly web_app_url: string;
  /** The public URL of the edge, without a path. */
  readonly issuer: string;
  /** The parameter `iss` of callbacks (RFC 9207); undefined if they have none. */
  readonly iss: string | undefined;
  readonly hardening: Hardening;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
}
