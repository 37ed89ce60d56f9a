import type { Clock } from '@gatehouse/kit/clock';
import type { EventLog } from '@gatehouse/kit/event-log/read-log';
import type { Outbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { PictureChanges } from '@gatehouse/media-client/picture-changes';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { TakeProfileChanges } from '@gatehouse/ratelimit-kit-client/profile-limits';
import type { Pool } from 'pg';
import type { SuspensionOutbox } from './accounts/suspension-outbox.ts';
import type { Config } from './config.ts';
import type { DataExports } from './data-export/data-exports.ts';
import type { Encryption } from './encryption/encryption.ts';
import type { AuthCounts } from './metrics.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { LastUsed } from './sessions/last-used.ts';
import type { BatchedStatements } from './store/batched-statements.ts';
import type { StoredEvent } from './store/events/event-log.ts';
import type { PrismaClient } from './store/prisma.ts';

/** The dependencies of the RPCs, made by `start`. */
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
  /** Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** Returns a new snowflake. */
  readonly ids: () => string;
  /** The time for TOTP steps and mails. SQL statements use the clock of the database. */
  readonly clock: Clock;
  readonly counts: AuthCounts;
  readonly passwords: Passwords;
  readonly encryption: Encryption;
  /** `wake` sends queued mail at once. */
  readonly mail: { wake(): void };
  readonly batched: BatchedStatements;
  /** Records when sessions are used. */
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly pictureChanges: Pick<PictureChanges, 'send'>;
  readonly takeProfileChanges: TakeProfileChanges;
  readonly dataExports: Pick<DataExports, 'wake'>;
  readonly deletions: Pick<Outbox<string>, 'send'>;
  readonly suspensions: Pick<SuspensionOutbox, 'send'>;
  /** The log that readers of auth's events follow. */
  readonly eventLog: EventLog<StoredEvent>;
}
