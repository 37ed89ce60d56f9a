import type { Outbox } from '@gatehouse/kit/outbox';
import type { RequestCounts } from '@gatehouse/kit/request-counts/request-counts';
import type { Client } from '@gatehouse/kit/rpc';
import type { PictureChanges } from '@gatehouse/media-client/picture-changes';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { FailedRequest } from '@gatehouse/proto/oauth2';
import type { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import type { Pool } from 'pg';
import type { SecretUses } from './clients/secret-uses.ts';
import type { Hardening } from './hardening.ts';
import type { BatchedStatements } from './store/batched-statements.ts';
import type { BotDisablement } from './store/bot-disablements.ts';
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
  /** Records when client secrets are used. */
  readonly secretUses: Pick<SecretUses, 'note'>;
  /** Counts requests of clients. */
  readonly usage: Pick<RequestCounts<FailedRequest>, 'note'>;
  /** Deletes the bots of deleted applications. */
  readonly deletedBots: Outbox<DeletedBot>;
  /** Tells auth which bots are disabled. */
  readonly botDisablements: Outbox<BotDisablement>;
  /** The URL of the web app, without a trailing slash. */
  readonly web_app_url: string;
  /** The public URL of the edge, without a path. */
  readonly issuer: string;
  /** The parameter `iss` of callbacks (RFC 9207); undefined if they have none. */
  readonly iss: string | undefined;
  readonly hardening: Hardening;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly realtime: Pick<Client<typeof RealtimeServiceDefinition>, 'getPresence'>;
  readonly pictureChanges: Pick<PictureChanges, 'send'>;
}
