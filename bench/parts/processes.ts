import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts parts of a bench as processes, and stops them. */
export interface Processes {
  /** Returns the part's address, host:port. Its log goes to a file, as in production. */
  start(part: string, env?: NodeJS.ProcessEnv, node_options?: readonly string[]): Promise<string>;
  /** The process IDs of all started parts. */
  pids(): number[];
  /** The processor time of all started parts, in microseconds. */
  cpuTime_us(): number;
  /** Memory of the part that was started last. */
  ask(question: 'memory'): Promise<unknown>;
  stop(): void;
}

export function processes(logFolder: string): Processes {
  const children: ChildProcess[] = [];
  return {
    start: async (part, env = {}, node_options = []) => {
      const log = openSync(join(logFolder, `${part}-${children.length}.log`), 'a');
      const child = fork(new URL('part.ts', import.meta.url), [part], {
        // No part uses Node's compile cache: a bare Fastify from the cache stays a quarter slower, but the edge does
        // not.
        env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env },
        // Between its turns V8 may shrink a part's heap, which slows the part down until the heap has grown again.
        execArgv: [...process.execArgv, ...node_options, '--no-memory-reducer'],
        stdio: ['ignore', log, 'inherit', 'ipc'],
      });
      children.push(child);
      const [address] = (await Promise.race([once(child, 'message'), failed(child, part)])) as [string];
      return address;
    },
    pids: () => children.flatMap(({ pid }) => pid ?? []),
    cpuTime_us: () => children.reduce((total, { pid }) => total + cpuTimeOf_us(pid), 0),
    ask: async (question) => {
      const child = children.at(-1);
      if (child === undefined) throw new Error('nothing was started');
      child.send(question);
      const [answer] = (await Promise.race([once(child, 'message'), failed(child, question)])) as [unknown];
      return answer;
    },
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/**
 * The processor time of all running children of a process: for PostgreSQL, its connections. Workers of autovacuum do not
 * count: they may end at any time, and their time with them.
 */
export function cpuTimeOfChildren_us(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const counted = children.filter((child) => !titleOf(child).includes('autovacuum worker'));
  return counted.reduce((total, child) => total + cpuTimeOf_us(Number(child)), 0);
}

function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

/** The processor time of all threads of a process; 0 after its end. */
export function cpuTimeOf_us(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/task`)) return 0;
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => threadTime_ns(`${pid}/task/${thread}`));
  return threads.reduce((total, one) => total + one, 0) / 1000;
}

/** The processor time of a process's main thread. */
export function mainThreadTime_us(pid: number): number {
  return threadTime_ns(`${pid}/task/${pid}`) / 1000;
}

/** A thread, or a background process of PostgreSQL, may end at any time. */
function threadTime_ns(place: string): number {
  try {
    return Number(readFileSync(`/proc/${place}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

async function failed(child: ChildProcess, part: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`the part ${part} ended with ${code}`);
}
