import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { touchClientSecrets, type UsedSecret } from '../store/client-secrets.ts';

/** A secret is noted once per period, and its row written at most once a minute. */
const PERIOD_MS = 60_000;
/** Maximum secrets noted per period. The others are noted in a later one. */
const MAX_NOTED = 20_000;
const WRITE_EVERY_MS = 10_000;
const SECRETS_PER_STATEMENT = 500;
const MAX_STATEMENTS = 20;
/** A database that does not answer must not keep the process alive. */
const LAST_WRITE_TIMEOUT_MS = 2_000;

interface SecretUsesOptions {
  readonly db: Pool;
  readonly log: Logger;
  /** The interval of writing. */
  readonly every_ms?: number | undefined;
}

/** Writes in the background, some seconds late, when client secrets were last used. */
export class SecretUses {
  readonly #db: Pool;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  /** Hashes. */
  readonly #noted = new Set<string>();
  /** Noted ones that are not written yet. */
  #waiting: UsedSecret[] = [];
  #period_ends_at = performance.now() + PERIOD_MS;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;

  constructor({ db, log, every_ms = WRITE_EVERY_MS }: SecretUsesOptions) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => this.#tick(), every_ms).unref();
  }

  /** Notes that a client proved this secret. It does no I/O, because every request of the token routes calls it. */
  note(used: UsedSecret): void {
    if (this.#noted.has(used.hash)) return;
    if (this.#noted.size >= MAX_NOTED || this.#waiting.length >= MAX_NOTED) return;
    this.#noted.add(used.hash);
    this.#waiting.push(used);
  }

  /** Writes what is noted. Gives up after two seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const written = this.#writing.then(() => this.#write());
    await Promise.race([written, setTimeout(LAST_WRITE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #tick(): void {
    if (performance.now() >= this.#period_ends_at) {
      this.#period_ends_at = performance.now() + PERIOD_MS;
      this.#noted.clear();
    }
    if (!this.#isWriting) this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      for (let statements = 0; statements < MAX_STATEMENTS && this.#waiting.length > 0; statements++)
        await touchClientSecrets(this.#db, this.#waiting.splice(0, SECRETS_PER_STATEMENT));
    } catch (error) {
      this.#log.warn({ err: error }, 'writing when client secrets were used failed');
      this.#noted.clear(); // secrets in use will be noted again
      this.#waiting = [];
    } finally {
      this.#isWriting = false;
    }
  }
}
