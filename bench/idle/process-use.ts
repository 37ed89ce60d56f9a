import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpuTimeOf_us } from '../parts/processes.ts';

/** What processes of one name have used so far, and the memory that they hold. */
export interface ProcessUse {
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

/** The use of processes, by name. */
export function useOf(pids: readonly number[]): Map<string, ProcessUse> {
  const uses = new Map<string, ProcessUse>();
  for (const pid of pids) {
    const name = nameOf(pid);
    if (name === '') continue; // it has ended
    const { cpu_us, wakeups, rss_MiB, pss_MiB } = uses.get(name) ?? NONE;
    uses.set(name, {
      cpu_us: cpu_us + cpuTimeOf_us(pid),
      wakeups: wakeups + wakeupsOf(pid),
      rss_MiB: rss_MiB + kiB(read(`${pid}/status`), 'VmRSS') / 1024,
      pss_MiB: pss_MiB + kiB(read(`${pid}/smaps_rollup`), 'Pss') / 1024,
    });
  }
  return uses;
}

const NONE: ProcessUse = { cpu_us: 0, wakeups: 0, rss_MiB: 0, pss_MiB: 0 };

/** A service, a kind of PostgreSQL process, a database with all its connections, or the program. */
function nameOf(pid: number): string {
  const command = read(`${pid}/cmdline`).replaceAll('\0', ' ').trim();
  const [, database] = /^postgres: \S+ (gatehouse_\w+)/.exec(command) ?? [];
  if (database !== undefined) return `connections to ${database}`;
  if (command.startsWith('postgres: ')) return command;
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
