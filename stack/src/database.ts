import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
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
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir, log_file, log: say });
  const { url, port } = server;
  const closing = new AbortController();
  const supervision = restartOnExit();

  async function restartOnExit(): Promise<void> {
    const nextWait = backOff();
    while (!closing.signal.aborted) {
      const startedAt = performance.now();
      await server?.ended;
      server = undefined;
      if (closing.signal.aborted) return;
      const wait_ms = nextWait(performance.now() - startedAt);
      say(`PostgreSQL ended; restarting it in ${wait_ms} ms. Its log: ${log_file}`);
      await pause(wait_ms, closing.signal);
      server = await startEmbeddedPostgres({ dataDir, port, log_file, log: say }).catch((error: Error) => {
        say(error.message);
        return undefined;
      });
    }
  }

  return {
    url,
    pid: () => server?.pid,
    keepDown: () => closing.abort(),
    close: async () => {
      closing.abort();
      await server?.close();
      await supervision;
      await server?.close(); // A restart may have been under way.
    },
  };
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
