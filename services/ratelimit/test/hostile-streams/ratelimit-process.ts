import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';

export interface RatelimitProcess {
  readonly address: string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Its memory in bytes, without that of files. Undefined without /proc. */
  memory(): number | undefined;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts ratelimit in a process of its own, with these settings. */
export async function startRatelimitProcess(settings: Record<string, string>): Promise<RatelimitProcess> {
  const [command, args] = dieWithParent('KILL', process.execPath, [MAIN]);
  const env = { ...process.env, LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent', ...settings };
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    address: await addressOf(child),
    kill: (signal) => void child.kill(signal),
    ended,
    memory: () => memoryOf(child.pid),
  };
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  if (stderr === null) throw new Error('ratelimit has no standard error');
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const address = /listening on (\S+)/.exec(said)?.[1];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error(`ratelimit did not start: ${said}`);
}

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}
