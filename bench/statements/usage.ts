import { twoDecimals } from '../load/two-decimals.ts';
import type { Row, Table } from '../report/table.ts';
import type { Counters, ServerCounters, StatementCounters, WalCounters } from './server-counters.ts';

/** Fewer calls or records per request are not of the requests. */
const LEAST_SHARE = 0.005;
/** Processor time per request from which on a process has a row. */
const LEAST_US = 0.5;

/** What PostgreSQL has done since `before`, per request. */
export async function usageTables(
  name: string,
  before: Counters,
  counters: ServerCounters,
  requests: number,
): Promise<Table[]> {
  const after = await counters.read();
  const used = statementsBetween(before, after).filter(({ calls }) => calls >= requests * LEAST_SHARE);
  const wal = await counters.walBetween(before.wal_lsn, after.wal_lsn);
  const each = (count: number): number => twoDecimals(count / requests);
  const all = {
    requests,
    round_trips: each(sum(used.map(({ calls }) => calls))),
    wal_flushes: each(after.wal_fsyncs - before.wal_fsyncs),
    wal_records: each(sum(wal.map(({ records }) => records))),
    wal_bytes: each(sum(wal.map(({ bytes }) => bytes))),
  };
  return [
    { title: `${name}, statements`, rows: used.map((one) => statementRow(one, requests)) },
    {
      title: `${name}, WAL`,
      about: 'Page images follow a checkpoint, and are not part of the bytes.',
      rows: wal
        .filter(({ records }) => records >= requests * LEAST_SHARE)
        .map((one) => walRow(one, requests)),
    },
    { title: `${name}, processor time`, rows: timeRows(before.processes, after.processes, requests) },
    { title: `${name}, in total`, rows: [{ name, figures: all }] },
  ];
}

/** The longest first. */
function statementsBetween(before: Counters, after: Counters): StatementCounters[] {
  const earlier = new Map(before.statements.map((one) => [one.statement, one]));
  return after.statements
    .map((one) => difference(one, earlier.get(one.statement)))
    .toSorted((one, other) => other.exec_us - one.exec_us);
}

function difference(after: StatementCounters, before: StatementCounters | undefined): StatementCounters {
  if (before === undefined) return after;
  return {
    statement: after.statement,
    calls: after.calls - before.calls,
    rows: after.rows - before.rows,
    exec_us: after.exec_us - before.exec_us,
    wal_records: after.wal_records - before.wal_records,
    wal_bytes: after.wal_bytes - before.wal_bytes,
  };
}

function statementRow(one: StatementCounters, requests: number): Row {
  const each = (count: number): number => twoDecimals(count / requests);
  return {
    name: one.statement,
    figures: {
      requests_a_call: twoDecimals(requests / one.calls),
      rows: each(one.rows),
      execution_us: each(one.exec_us),
      wal_records: each(one.wal_records),
      wal_bytes: each(one.wal_bytes),
    },
  };
}

function walRow({ record, records, bytes, image_bytes }: WalCounters, requests: number): Row {
  const each = (count: number): number => twoDecimals(count / requests);
  return {
    name: record,
    figures: { records: each(records), bytes: each(bytes), image_bytes: each(image_bytes) },
  };
}

type Processes = Counters['processes'];

/** Without the time of connections that have ended meanwhile. */
function timeRows(before: Processes, after: Processes, requests: number): Row[] {
  const kinds = new Map<string, number>();
  for (const [pid, { kind, cpu_us }] of after) {
    const us = (cpu_us - (before.get(pid)?.cpu_us ?? 0)) / requests;
    kinds.set(kind, (kinds.get(kind) ?? 0) + us);
  }
  const row = (name: string, us: number): Row => ({ name, figures: { us: twoDecimals(us) } });
  return [
    ...[...kinds].filter(([, us]) => us >= LEAST_US).map(([kind, us]) => row(kind, us)),
    row('all', sum([...kinds.values()])),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
