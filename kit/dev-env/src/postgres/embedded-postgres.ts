import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../free-port.ts';
import { holdPidFile } from '../processes/pid-file.ts';
import { postgresAccount } from './embedded-postgres/account.ts';
import { postgresBinaries } from './embedded-postgres/binaries.ts';
import { clusterHome, initialise, ROLE } from './embedded-postgres/cluster.ts';
import { endLeftovers, startPostmaster } from './embedded-postgres/postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** The folder whose postgres/ holds the cluster; created if missing. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; 0 or absent: a free one. */
  readonly port?: number;
  /** Overrides SETTINGS, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The server's log. Default: postgres/log. */
  readonly log_file?: string;
  readonly log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** The server's URL. Its database does not exist; `migrate` creates it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when the server has ended, by close or by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** For a stack on one machine: little memory, no replication, and no row data in the log. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '100',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const;

/**
 * Runs PostgreSQL from its npm package on a folder, on 127.0.0.1, with a random password that is stored beside the
 * data. The server ends with this process, even if this process is killed. Where that is not possible
 * (./processes/die-with-parent.ts), the next start on the folder stops the server first.
 *
 * @throws Error if another process uses the folder, or the platform has no binaries
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const account = await postgresAccount(join(dataDir, 'postgres/data'));
  const home = await clusterHome(dataDir, account, log);
  const release = holdPidFile(join(home, 'lock'), `the database in ${home}`);
  try {
    const binaries = await postgresBinaries(account, log);
    const password = await initialise(home, binaries, account);
    const data = join(home, 'data');
    await endLeftovers(data, log);
    const port = options.port || (await freePort());
    const settings = { ...SETTINGS, ...options.settings, port: String(port) };
    const log_file = options.log_file ?? join(home, 'log');
    const server = await startPostmaster({ binaries, account, data, settings, log_file });
    void server.ended.then(release);
    const url = `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`;
    return { url, port, pid: server.pid, ended: server.ended, close: server.stop };
  } catch (error) {
    release();
    throw error;
  }
}
