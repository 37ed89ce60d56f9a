import type { ChatLog } from './following/chat-log.ts';
import type { Arrival } from './hand-over/arrivals.ts';
import type { Giving } from './hand-over/giving.ts';
import type { PreparedAccounts } from './hand-over/prepared-accounts.ts';
import type { Registry } from './sessions/registry.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly registry: Registry;
  readonly chatLog: Pick<ChatLog, 'atRest'>;
  readonly arrive: (account_id: string) => Promise<Arrival>;
  readonly prepared: PreparedAccounts;
  readonly giving: Giving;
  readonly isDraining: () => boolean;
  readonly handedOver: (sessions: number) => void;
}
