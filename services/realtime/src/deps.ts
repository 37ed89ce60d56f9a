import type { ChatLog } from './following/chat-log.ts';
import type { Recently } from './recently.ts';
import type { Arrival } from './session-transfer/arrivals.ts';
import type { PreparedAccounts } from './session-transfer/prepared-accounts.ts';
import type { Registry } from './sessions/registry.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly registry: Registry;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly arrive: (account_id: string) => Promise<Arrival>;
  readonly prepared: PreparedAccounts;
  /** IDs of sessions that were given to another replica a moment ago. */
  readonly moved: Recently;
  /** IDs of sessions that are just being given to another replica. */
  readonly giving: ReadonlySet<string>;
  readonly isDraining: () => boolean;
  readonly handedOver: (sessions: number) => void;
}
