import type { ChatLog } from './following/chat-log.ts';
import type { RecentIds } from './recent-ids.ts';
import type { Peers } from './session-transfer/peers.ts';
import type { PreparedAccount } from './session-transfer/prepared-account.ts';
import type { PreparedAccounts } from './session-transfer/prepared-accounts.ts';
import type { SessionRegistry } from './sessions/session-registry.ts';

/** The dependencies of the RPCs. */
export interface Deps {
  readonly registry: SessionRegistry;
  readonly peers: Pick<Peers, 'all'>;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly prepareAccount: (account_id: string) => Promise<PreparedAccount>;
  readonly prepared: PreparedAccounts;
  /** IDs of sessions that were transferred to another replica recently. */
  readonly transferred: RecentIds;
  /** IDs of sessions that are being transferred to another replica. */
  readonly inTransfer: ReadonlySet<string>;
  readonly isDraining: () => boolean;
  readonly countTransferred: (sessions: number) => void;
}
