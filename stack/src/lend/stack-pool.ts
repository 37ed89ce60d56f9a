import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startTestPostgres, type TestServer } from '@gatehouse/dev-env/postgres/postgres-server';
import { RUN_PREFIX } from '@gatehouse/dev-env/postgres/test-database';
import { type OneProcessStack, startInOneProcess } from './one-process-stack.ts';
import { type StackDatabases, stackDatabases } from './stack-databases.ts';

/** An idle stack still uses some of a core, so it ends after this long without a borrower. */
const UNUSED_MS = 20_000;

export interface StackSettings {
  readonly env: NodeJS.ProcessEnv;
  readonly host: string;
}

export interface BorrowedStack {
  /** The edge's, without /api/v1. */
  readonly url: string;
  /** The console's, without a path. */
  readonly console_url: string;
  /** The address of each process, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Has the form of DATABASE_URL. */
  readonly database_url: string;
  readonly data_dir: string;
}

interface PooledStack {
  readonly settings: string;
  readonly stack: OneProcessStack;
  readonly folder: DataFolder;
  readonly databases: StackDatabases;
  /** Runs while it has no borrower, and ends it. */
  unused: NodeJS.Timeout | undefined;
}

/** Running stacks, each with one borrower at a time. */
export class StackPool {
  /** By the edge's URL. */
  readonly #stacks = new Map<string, PooledStack>();
  readonly #ending: Promise<void>[] = [];
  readonly #failures: unknown[] = [];
  /**
   * A server for these stacks alone, unless GATEHOUSE_TEST_DATABASE_URL names one: an open transaction of a chat
   * test would delay their events.
   */
  #postgres: Promise<TestServer> | undefined;

  /** Returns an unused stack with these settings, or a new one. */
  async borrow(wanted: StackSettings): Promise<BorrowedStack> {
    const settings = JSON.stringify([wanted.env, wanted.host]);
    const { stack, folder, databases } = this.#takeUnused(settings) ?? (await this.#start(settings, wanted));
    return {
      url: new URL(stack.url).origin,
      console_url: stack.console_url,
      addresses: stack.addresses,
      database_url: databases.url,
      data_dir: folder.path,
    };
  }

  giveBack({ url }: Pick<BorrowedStack, 'url'>): void {
    const one = this.#stacks.get(url);
    if (one !== undefined) one.unused = setTimeout(() => this.#end(url, one), UNUSED_MS);
  }

  /** Ends all stacks. @throws AggregateError if any did not end as it should */
  async close(): Promise<void> {
    for (const [url, one] of this.#stacks) this.#end(url, one);
    await Promise.all(this.#ending);
    await (await this.#postgres)?.close();
    if (this.#failures.length > 0)
      throw new AggregateError(this.#failures, 'stacks did not end as they should');
  }

  #takeUnused(settings: string): PooledStack | undefined {
    for (const one of this.#stacks.values()) {
      if (one.settings !== settings || one.unused === undefined) continue;
      clearTimeout(one.unused);
      one.unused = undefined;
      return one;
    }
    return undefined;
  }

  async #start(settings: string, { env, host }: StackSettings): Promise<PooledStack> {
    this.#postgres ??= startTestPostgres(process.env[RUN_PREFIX] ?? '');
    const [folder, databases] = await Promise.all([
      testDataFolder('e2e'),
      this.#postgres.then(({ url }) => stackDatabases(url)),
    ]);
    const { url: database_url } = databases;
    const stack = await startInOneProcess({ host, port: 0, data_dir: folder.path, database_url, env });
    const started = { settings, stack, folder, databases, unused: undefined };
    this.#stacks.set(new URL(stack.url).origin, started);
    return started;
  }

  #end(url: string, { stack, folder, databases, unused }: PooledStack): void {
    clearTimeout(unused);
    this.#stacks.delete(url);
    const ended = stack.close().then(databases.drop).then(folder.remove);
    this.#ending.push(ended.catch((error) => void this.#failures.push(error)));
  }
}
