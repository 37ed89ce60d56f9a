import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpuTimeOf_us } from '../parts/processes.ts';

/** What a process has used so far, and the memory that it holds. */
export interface ProcessUse {
  readonly name: string;
  readonly cpu_us: number;
  /** Voluntary context switches of all threads. */
  readonly wakeups: number;
  readonly rss_MiB: number;
  /** Proportional set size: shared pages count once. */
  readonly pss_MiB: number;
}

/** A process and its descendants. */
export function treeOf(pid: number): number[] {
  const children = read(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** The use of processes, by process ID. */
export function usesOf(pids: readonly number[]): Map<number, ProcessUse> {
  const uses = pids.map((pid): [number, ProcessUse] => [
    pid,
    {
      name: nameOf(pid),
      cpu_us: cpuTimeOf_us(pid),
      wakeups: wakeupsOf(pid),
      rss_MiB: kiB(read(`${pid}/status`), 'VmRSS') / 1024,
      pss_MiB: kiB(read(`${pid}/smaps_rollup`), 'Pss') / 1024,
    },
  ]);
  return new Map(uses.filter(([, { name }]) => name !== '')); // without processes that have ended
}

/** A service, a database with its connections, PostgreSQL's other processes, or a program. */
function nameOf(pid: number): string {
  const command = read(`${pid}/cmdline`).replaceAll('\0', ' ').trim();
  const [, database] = /^postgres: \S+ (gatehouse_\w+)/.exec(command) ?? [];
  if (database !== undefined) return `connections to ${database}`;
  if (/^postgres: |bin\/postgres /.test(command)) return 'other processes of PostgreSQL';
  const [, service] = /([\w-]+)\/src\/main\.ts/.exec(command) ?? [];
  if (service !== undefined) return service;
  if (command.includes('scripts/start.ts')) return 'start.ts';
  return command.split(' ')[0]?.split('/').at(-1) ?? '';
}

function wakeupsOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/task`)) return 0;
  const switches = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(read(`${pid}/task/${thread}/status`))?.[1] ?? 0),
  );
  return switches.reduce((sum, one) => sum + one, 0);
}

function kiB(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
}

/** A process may end at any time. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
