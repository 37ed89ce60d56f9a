import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { type Resources, resourceStack } from '@gatehouse/kit/lifecycle';
import { type Stack, type StackOptions, startStack } from '@gatehouse/stack/start-stack';
import { type Processes, processes } from './processes.ts';

/** Runs a benchmark on servers that it starts. They end with it. */
export async function withFixture<T>(run: (fixture: Fixture) => Promise<T>): Promise<T> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    return await run(new Fixture(folder, resources));
  } finally {
    await resources.close();
  }
}

export class Fixture {
  readonly folder: string;
  readonly resources: Resources;

  constructor(folder: string, resources: Resources) {
    this.folder = folder;
    this.resources = resources;
  }

  /** PostgreSQL with fsync on. `settings` are those of postgresql.conf. */
  async postgres(settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir: join(this.folder, 'database'), settings });
    this.resources.add('postgres', () => postgres.close());
    return postgres;
  }

  /** Parts of the benchmark as processes. */
  processes(): Processes {
    const running = processes(this.folder);
    this.resources.add('processes', () => running.stop());
    return running;
  }

  /** A stack on free ports. `env` are further settings. */
  async stack({ env, ...options }: Partial<StackOptions>): Promise<Stack> {
    const stack = await startStack({
      port: 0,
      data_dir: join(this.folder, 'stack'),
      ...options,
      env: { ...process.env, ...env },
    });
    this.resources.add('stack', () => stack.close());
    return stack;
  }
}
