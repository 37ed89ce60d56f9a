import type { Users } from '@gatehouse/auth-client/users';
import type { EventLog } from '@gatehouse/kit/event-log/read-log';
import type { Client } from '@gatehouse/kit/rpc';
import type { PictureChanges } from '@gatehouse/media-client/picture-changes';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { RateLimits } from '@gatehouse/ratelimit-client';
import type { TakeProfileChanges } from '@gatehouse/ratelimit-client/profile-limits';
import type { Pool } from 'pg';
import type { LongAnswers } from './long-answers/budgets.ts';
import type { StoredEvent } from './store/events/event-log.ts';
import type { NewMessage, Posted } from './store/messages/post-messages.ts';
import type { PrismaClient } from './store/prisma.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** The plain records, through Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly users: Users;
  readonly media: Client<typeof MediaServiceDefinition>;
  /** To be told after each commit that noted changes of pictures. */
  readonly pictureChanges: Pick<PictureChanges, 'send'>;
  readonly takeSlowmode: RateLimits['takeSlowmode'];
  readonly peekSlowmode: RateLimits['peekSlowmode'];
  /** To be called after each commit that ended channels: what hung on them is ended at once. Never throws. */
  readonly channelsEnded: () => void;
  readonly takeProfileChanges: TakeProfileChanges;
  /** To be called after each commit that wrote events: the readers in this process look for them at once. */
  readonly eventsWritten: () => void;
  /** What readers are given. */
  readonly eventLog: EventLog<StoredEvent>;
  /** Memory for answers that may be long. */
  readonly longAnswers: LongAnswers;
  /** Stores a message with its event (store/post-messages.ts); messages of one moment share a statement and a commit. */
  readonly post: (message: NewMessage) => Promise<Posted>;
}
