import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '@gatehouse/dev-env/postgres/embedded-postgres';
import { backOff } from './back-off.ts';

export interface Database {
  readonly url: string;
  pid(): number | undefined;
  /** Stops restarting it. */
  keepDown(): void;
  close(): Promise<void>;
}

/** Starts the embedded PostgreSQL, and restarts it on the same port when it ends: services keep its URL. */
export async function superviseDatabase(
  dataDir: string,
  log_file: string,
  say: (line: string) => void,
): Promise<Database> {
  const server = await startEmbeddedPostgres({ dataDir, log_file, log: say });
  return new SupervisedDatabase(server, { dataDir, log_file, port: server.port, log: say });
}

type RestartOptions = Required<Omit<EmbeddedPostgresOptions, 'settings'>>;

class SupervisedDatabase implements Database {
  readonly url: string;
  readonly #options: RestartOptions;
  readonly #keptDown = new AbortController();
  readonly #supervision: Promise<void>;
  /** Undefined while it is down. */
  #server: EmbeddedPostgres | undefined;

  constructor(server: EmbeddedPostgres, options: RestartOptions) {
    this.url = server.url;
    this.#server = server;
    this.#options = options;
    this.#supervision = this.#restartOnExit();
  }

  pid(): number | undefined {
    return this.#server?.pid;
  }

  keepDown(): void {
    this.#keptDown.abort();
  }

  async close(): Promise<void> {
    this.keepDown();
    await this.#server?.close();
    await this.#supervision;
    await this.#server?.close(); // A restart may have been under way.
  }

  async #restartOnExit(): Promise<void> {
    const { signal } = this.#keptDown;
    const { log: say, log_file } = this.#options;
    const nextWait = backOff();
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.#server?.ended;
      this.#server = undefined;
      if (signal.aborted) return;
      const wait_ms = nextWait(performance.now() - startedAt);
      say(`PostgreSQL ended; restarting it in ${wait_ms} ms. Its log: ${log_file}`);
      await pause(wait_ms, signal);
      this.#server = await startEmbeddedPostgres(this.#options).catch((error: Error) => {
        say(error.message);
        return undefined;
      });
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
