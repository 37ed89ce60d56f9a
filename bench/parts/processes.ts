import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts parts of a bench as processes, and stops them all. */
export interface Processes {
  /** Comes back with the part's address, host:port. Its log is written to a file as in production. */
  start(part: string, env?: NodeJS.ProcessEnv, node_options?: readonly string[]): Promise<string>;
  /** The processor time of all that were started, in microseconds. */
  cpuTime_us(): number;
  /** Asks the one that was started last. */
  ask(question: 'memory'): Promise<unknown>;
  stop(): void;
}

export function processes(logFolder: string): Processes {
  const children: ChildProcess[] = [];
  return {
    start: async (part, env = {}, node_options = []) => {
      const log = openSync(join(logFolder, `${part}-${children.length}.log`), 'a');
      const child = fork(new URL('part.ts', import.meta.url), [part], {
        // A bare Fastify that comes out of Node's compile cache is a quarter slower for as long as it runs; the edge
        // is not. So neither does.
        env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env },
        // Each waits for its turn for seconds, in which V8 may shrink its heap, and is slower until it has grown.
        execArgv: [...process.execArgv, ...node_options, '--no-memory-reducer'],
        stdio: ['ignore', log, 'inherit', 'ipc'],
      });
      children.push(child);
      const [address] = (await Promise.race([once(child, 'message'), failed(child, part)])) as [string];
      return address;
    },
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

/** The processor time of all processes that this one has started and that still run: of PostgreSQL, its connections. */
export function cpuTimeOfChildren_us(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.reduce((total, child) => total + cpuTimeOf_us(Number(child)), 0);
}

/** Of all its threads; 0 once it has ended. */
export function cpuTimeOf_us(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/task`)) return 0;
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => threadTime_ns(`${pid}/task/${thread}`));
  return threads.reduce((total, one) => total + one, 0) / 1000;
}

/** A thread, or a process of PostgreSQL that cleans up, may end at any time. */
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
