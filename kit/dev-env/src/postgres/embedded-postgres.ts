import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../free-port.ts';
import { holdPidFile } from '../processes/pid-file.ts';
import { postgresAccount } from './embedded-postgres/account.ts';
import { postgresBinaries } from './embedded-postgres/binaries.ts';
import { clusterHome, initialise, ROLE } from './embedded-postgres/cluster.ts';
import { endLeftovers, startPostmaster } from './embedded-postgres/postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** The cluster lies in its postgres/ folder; made if it is not there. */
  readonly dataDir: string;
  /** On 127.0.0.1; 0 or absent: a free one. */
  readonly port?: number;
  /** Over SETTINGS, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the server says; postgres/log unless given. */
  readonly log_file?: string;
  readonly log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Of the server: the database that it names is not there; `migrate` makes what it needs. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, by close or by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** For one machine's suite: little memory, no replication, and nothing of a row in the log. */
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
 * Runs PostgreSQL from its npm package on a folder, reachable on 127.0.0.1 with a random password that
 * is kept beside the data. It ends with this process, even when that is killed; where the kernel
 * could not be asked for that, the next start on the folder stops it first.
 *
 * @throws Error when another process holds the folder, or the platform has no binaries
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
