import { readFileSync } from 'node:fs';
import type { EmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import pg from 'pg';
import { cpuTimeOf_us } from '../parts/processes.ts';

/** A statement's counters so far. */
export interface StatementCounters {
  readonly statement: string;
  readonly calls: number;
  readonly rows: number;
  readonly exec_us: number;
  readonly wal_records: number;
  readonly wal_bytes: number;
}

/** The records of one kind in a part of the WAL. */
export interface WalCounters {
  readonly record: string;
  readonly records: number;
  readonly bytes: number;
  /** Of images of pages, which follow a checkpoint. */
  readonly image_bytes: number;
}

export interface ProcessCounters {
  /** "walwriter"; of a connection, its database. */
  readonly kind: string;
  readonly cpu_us: number;
}

export interface Counters {
  readonly statements: readonly StatementCounters[];
  readonly wal_fsyncs: number;
  readonly wal_lsn: string;
  /** The running processes but that of the counters' own connection, by ID. */
  readonly processes: ReadonlyMap<string, ProcessCounters>;
}

/** The database of the counters' own connection. */
const OWN_DATABASE = 'postgres';

/** Reads what a PostgreSQL server counts. The server preloads pg_stat_statements. */
export class ServerCounters {
  readonly #pid: number;
  readonly #client: pg.Client;

  private constructor(pid: number, client: pg.Client) {
    this.#pid = pid;
    this.#client = client;
  }

  static async open({ url, pid }: EmbeddedPostgres): Promise<ServerCounters> {
    const maintenance = new URL(url);
    maintenance.pathname = `/${OWN_DATABASE}`;
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    await client.query('CREATE EXTENSION pg_stat_statements; CREATE EXTENSION pg_walinspect');
    return new ServerCounters(pid, client);
  }

  /** Writes the dirty pages, so that no checkpoint of an earlier load falls into the next one. */
  async settle(): Promise<void> {
    await this.#client.query('CHECKPOINT');
  }

  async read(): Promise<Counters> {
    const { rows: statements } = await this.#client.query<StatementCounters>(STATEMENTS);
    const { rows } = await this.#client.query<{ wal_fsyncs: number; wal_lsn: string }>(WAL_POSITION);
    const [{ wal_fsyncs, wal_lsn } = { wal_fsyncs: 0, wal_lsn: '0/0' }] = rows;
    return { statements, wal_fsyncs, wal_lsn, processes: processesOf(this.#pid) };
  }

  /** The WAL records between two positions. */
  async walBetween(from_lsn: string, to_lsn: string): Promise<WalCounters[]> {
    const { rows } = await this.#client.query<WalCounters>(WAL_RECORDS, [from_lsn, to_lsn]);
    return rows;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

const STATEMENTS = `
  SELECT datname || ': ' || left(regexp_replace(query, '\\s+', ' ', 'g'), 60) AS statement,
    sum(calls)::double precision AS calls, sum(rows)::double precision AS rows,
    sum(total_exec_time) * 1000 AS exec_us, sum(wal_records)::double precision AS wal_records,
    sum(wal_bytes)::double precision AS wal_bytes
  FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
  WHERE datname <> current_database()
  GROUP BY statement`;

const WAL_POSITION = `
  SELECT (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal')::double precision AS wal_fsyncs,
    pg_current_wal_flush_lsn()::text AS wal_lsn`;

const WAL_RECORDS = `
  SELECT "resource_manager/record_type" AS record, count::double precision AS records,
    record_size::double precision AS bytes, fpi_size::double precision AS image_bytes
  FROM pg_get_wal_stats($1, $2, true)
  WHERE count > 0`;

/** Background processes end at any time. */
function processesOf(postmaster: number): ReadonlyMap<string, ProcessCounters> {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const running = children.flatMap((pid) => {
    const kind = kindOf(pid);
    return kind === undefined || kind === OWN_DATABASE
      ? []
      : [[pid, { kind, cpu_us: cpuTimeOf_us(Number(pid)) }] as const];
  });
  return new Map(running);
}

/** Of "postgres: walwriter " or "postgres: USER DATABASE HOST(PORT) idle". Undefined after its end. */
function kindOf(pid: string): string | undefined {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', '').trim();
    const connection = /^postgres: \S+ (\S+) \S+\(\d+\)/.exec(title);
    return connection?.[1] ?? title.replace('postgres: ', '');
  } catch {
    return undefined;
  }
}
