import type { Users } from '@gatehouse/auth-client/users';
import type { EventLog } from '@gatehouse/kit/event-log/read-log';
import type { Client } from '@gatehouse/kit/rpc';
import type { PictureChanges } from '@gatehouse/media-client/picture-changes';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { RateLimits } from '@gatehouse/ratelimit-kit-client';
import type { TakeProfileChanges } from '@gatehouse/ratelimit-kit-client/profile-limits';
import type { Pool } from 'pg';
import type { AnswerBudgets } from './long-answers/answer-budgets.ts';
import type { StoredEvent } from './store/events/event-log.ts';
import type { NewMessage, PostOutcome } from './store/messages/post-messages.ts';
import type { PrismaClient } from './store/prisma.ts';

/** The dependencies of the RPCs. */
export interface Deps {
  readonly db: Pool;
  /** Plain records, through Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly users: Users;
  readonly media: Client<typeof MediaServiceDefinition>;
  /** Call `send` after each commit that recorded picture changes. */
  readonly pictureChanges: Pick<PictureChanges, 'send'>;
  readonly takeSlowmode: RateLimits['takeSlowmode'];
  readonly peekSlowmode: RateLimits['peekSlowmode'];
  /**
   * Call it after each commit that deleted channels, so that their webhooks and messages are deleted at once. Never
   * throws.
   */
  readonly channelsDeleted: () => void;
  readonly takeProfileChanges: TakeProfileChanges;
  /** Call it after each commit that wrote events, so that this process's readers look for them at once. */
  readonly eventsWritten: () => void;
  readonly eventLog: EventLog<StoredEvent>;
  /** Memory budgets of long answers. */
  readonly answerBudgets: AnswerBudgets;
  /**
   * Stores a message with its event (store/messages/post-messages.ts). Concurrent messages share a statement and a
   * commit.
   */
  readonly post: (message: NewMessage) => Promise<PostOutcome>;
}
