import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { deleteSurplusTokens, type GrantOf } from '../store/surplus-tokens.ts';

export interface SurplusTokens {
  /** Ends the oldest tokens of these grants, if they have too many. Nobody waits for it. */
  check(grants: readonly GrantOf[]): void;
  close(): Promise<void>;
}

/** The next exchange of a grant that is left out has it checked. */
const MAX_WAITING = 10_000;

/**
 * Ends surplus tokens beside the answers of exchanges, which have committed by then and so must not fail any more. What
 * is issued meanwhile is checked together afterwards.
 */
export function surplusTokens({ db, log }: { readonly db: Pool; readonly log: Logger }): SurplusTokens {
  const waiting = new Map<string, GrantOf>();
  let checking: Promise<void> | undefined;

  async function checkAll(): Promise<void> {
    while (waiting.size > 0) {
      const grants = [...waiting.values()];
      waiting.clear();
      await deleteSurplusTokens(db, grants).catch((error: unknown) =>
        log.warn({ err: error }, 'surplus tokens stay until the next exchange'),
      );
    }
    checking = undefined;
  }

  return {
    check: (grants) => {
      for (const grant of grants) {
        if (waiting.size >= MAX_WAITING) break;
        const { account_id, application_id } = grant;
        waiting.set(`${account_id} ${application_id}`, grant);
      }
      if (waiting.size > 0) checking ??= checkAll();
    },
    close: async () => {
      await checking;
    },
  };
}
