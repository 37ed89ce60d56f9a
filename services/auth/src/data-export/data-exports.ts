import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Job } from '@gatehouse/kit/job';
import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { PoolClient } from 'pg';
import { deleteDataExportChunks, insertDataExportChunk } from '../store/data-export/data-export-chunks.ts';
import {
  claimDataExports,
  completeDataExport,
  type ExportAttempt,
  failDataExport,
  renewDataExport,
} from '../store/data-export/data-exports.ts';
import type { ExportSources } from './export-files.ts';
import { writeArchive } from './write-archive.ts';

/** A replica that writes nothing for so long is believed dead. Longer than the timeout of a page. */
const LEASE_MS = 30_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 10_000;

export interface DataExportsOptions {
  readonly sources: ExportSources;
  readonly log: Logger;
  /** Queues the mail to the owner, in the transaction that completes the archive. */
  readonly mailReady: (tx: PoolClient, attempt: ExportAttempt) => Promise<void>;
  readonly onReady: () => void;
  /** Overrides the lease. */
  readonly lease_ms?: number | undefined;
}

/** Makes data exports in the background, one at a time in each replica. */
export interface DataExports {
  readonly job: Job;
  readonly wake: () => void;
  /** Gives up the one in hand. Another replica starts it anew. */
  readonly close: () => Promise<void>;
}

export function openDataExports(options: DataExportsOptions): DataExports {
  const { sources, log, lease_ms = LEASE_MS } = options;
  const closing = new AbortController();
  const outbox: Outbox<ExportAttempt> = openOutbox({
    rows: {
      claim: (limit) => claimDataExports(sources.db, limit, lease_ms),
      // The transaction of the last chunk has completed it.
      complete: () => Promise.resolve(),
    },
    deliver: (attempt) => makeExport(options, attempt, closing.signal),
    what: 'data exports',
    log,
    at_once: 1,
  });
  return {
    job: outbox,
    wake: outbox.wake,
    close: async () => {
      closing.abort();
      await outbox.close();
    },
  };
}

/** Makes the archive of one account. Each attempt begins anew. */
async function makeExport(
  options: DataExportsOptions,
  attempt: ExportAttempt,
  closing: AbortSignal,
): Promise<boolean> {
  const writer = new ExportWriter(options, attempt, closing);
  try {
    await writer.run();
    options.onReady();
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    const is_last = !closing.aborted && (attempt.number >= MAX_ATTEMPTS || error instanceof RangeError);
    const delay_ms = closing.aborted ? 0 : RETRY_MS * attempt.number;
    await failDataExport(options.sources.db, attempt, { is_last, delay_ms });
    if (closing.aborted) return false;
    throw error;
  }
}

/** Another attempt has taken over, or the account is gone. */
class Superseded extends Error {}

class ExportWriter {
  readonly #options: DataExportsOptions;
  readonly #attempt: ExportAttempt;
  readonly #closing: AbortSignal;
  #progress = 0;
  #position = 0;
  #size = 0;

  constructor(options: DataExportsOptions, attempt: ExportAttempt, closing: AbortSignal) {
    this.#options = options;
    this.#attempt = attempt;
    this.#closing = closing;
  }

  async run(): Promise<void> {
    const { sources, mailReady } = this.#options;
    const { account_id } = this.#attempt;
    await this.#renewed((tx) => deleteDataExportChunks(tx, account_id));
    await writeArchive(
      sources,
      account_id,
      (bytes) => this.#write(bytes),
      (percent) => this.#report(percent),
    );
    await this.#renewed(async (tx) => {
      await completeDataExport(tx, account_id, this.#size);
      await mailReady(tx, this.#attempt);
    });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    if (this.#size > MAX_BYTES) throw new RangeError(`a data export has more than ${MAX_BYTES} bytes`);
    const position = this.#position++;
    await this.#renewed((tx) => insertDataExportChunk(tx, this.#attempt.account_id, position, bytes));
  }

  async #report(percent: number): Promise<void> {
    this.#progress = percent;
    await this.#renewed(() => Promise.resolve());
  }

  /** Runs a change in a transaction that proves that this attempt is the newest one. */
  async #renewed(change: (tx: PoolClient) => Promise<void>): Promise<void> {
    this.#closing.throwIfAborted();
    const { sources, lease_ms = LEASE_MS } = this.#options;
    await inTransaction(sources.db, async (tx) => {
      const lease = { progress: this.#progress, lease_ms };
      if (!(await renewDataExport(tx, this.#attempt, lease))) throw new Superseded();
      await change(tx);
    });
  }
}
