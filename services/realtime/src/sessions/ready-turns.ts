import { busy, tooLarge } from '../errors.ts';

/** Bounds the READYs, with the GUILD_CREATEs behind them, that are being made and sent at one time. */
export interface ReadyTurns {
  /**
   * Waits for the turn of one with about so many bytes. Returns how to end it.
   *
   * @throws RESOURCE_EXHAUSTED if it is larger than all may be together, or too many wait already
   */
  enter(account_id: string, bytes: number): Promise<() => void>;
  /** Of the large ones whose turn it is. */
  bytes(): number;
}

/** Smaller ones do not wait: there are no more of them than Identifies at once. */
const SMALL_BYTES = 256 * 1024;
/** Fewer than Identifies at once, so that small ones find their turn beside them. */
const MAX_WAITING = 48;
const MAX_WAITING_PER_ACCOUNT = 8;

/** Of a small one: there is nothing to end. */
export const NO_TURN = (): void => undefined;

interface Waiting {
  readonly account_id: string;
  readonly bytes: number;
  begin(end: () => void): void;
}

/** Large ones come one at a time for an account, and otherwise in the order in which they were asked for. */
export function readyTurns(max_bytes: number): ReadyTurns {
  const waiting: Waiting[] = [];
  const accounts = new Set<string>();
  let total = 0;

  function beginNext(): void {
    for (;;) {
      const index = waiting.findIndex(({ account_id }) => !accounts.has(account_id));
      const next = waiting[index];
      if (next === undefined || total + next.bytes > max_bytes) return;
      waiting.splice(index, 1);
      accounts.add(next.account_id);
      next.begin(take(next.bytes, () => accounts.delete(next.account_id)));
    }
  }

  function take(bytes: number, ended: () => void): () => void {
    let isOver = false;
    total += bytes;
    return () => {
      if (isOver) return;
      isOver = true;
      total -= bytes;
      ended();
      beginNext();
    };
  }

  return {
    bytes: () => total,
    enter: async (account_id, bytes) => {
      if (bytes > max_bytes) throw tooLarge();
      if (bytes <= SMALL_BYTES) return NO_TURN;
      const own = waiting.filter((one) => one.account_id === account_id).length;
      if (waiting.length >= MAX_WAITING || own >= MAX_WAITING_PER_ACCOUNT) throw busy();
      return await new Promise((begin) => {
        waiting.push({ account_id, bytes, begin });
        beginNext();
      });
    },
  };
}
