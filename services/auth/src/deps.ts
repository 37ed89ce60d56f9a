import type { Clock } from '@gatehouse/kit/clock';
import type { EventLog } from '@gatehouse/kit/event-log/read-log';
import type { Outbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { PictureChanges } from '@gatehouse/media-client/picture-changes';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { TakeProfileChanges } from '@gatehouse/ratelimit-client/profile-limits';
import type { Pool } from 'pg';
import type { Config } from './config.ts';
import type { Encryption } from './encryption/encryption.ts';
import type { AuthCounts } from './metrics.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { LastUsed } from './sessions/last-used.ts';
import type { BatchedStatements } from './store/batched-statements.ts';
import type { StoredEvent } from './store/events/event-log.ts';
import type { PrismaClient } from './store/prisma.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly config: Pick<
    Config,
    | 'web_app_url'
    | 'gateway_url'
    | 'login_location_check'
    | 'session_idle_days'
    | 'session_max_days'
    | 'verified_email_only'
  >;
  readonly db: Pool;
  /** Plain records, through Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** New snowflakes. */
  readonly ids: () => string;
  /** The time for TOTP steps and mails. SQL statements use the database's own. */
  readonly clock: Clock;
  readonly counts: AuthCounts;
  readonly passwords: Passwords;
  readonly encryption: Encryption;
  /** `wake` sends queued mail at once. */
  readonly mail: { wake(): void };
  readonly batched: BatchedStatements;
  /** Notes when sessions are used. */
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly pictureChanges: Pick<PictureChanges, 'send'>;
  readonly takeProfileChanges: TakeProfileChanges;
  readonly deletions: Pick<Outbox<string>, 'send'>;
  /** What readers are given. */
  readonly eventLog: EventLog<StoredEvent>;
}
