import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { addressVariable, SERVERS } from './rpc/servers.ts';

const FIRST_PORT = 8080;

/** What a suite writes to its DATA_DIR (stack/src/stack-record.ts). */
interface SuiteRecord {
  readonly pid: number;
  readonly url: string;
  readonly addresses: { readonly [name: string]: string };
}

/** The edge of the suite on this machine, without a path: at PORT, or where that of DATA_DIR says, or at the default port. */
export function edgeUrl(env: NodeJS.ProcessEnv): string {
  const port = portOf(env);
  if (port === undefined) {
    const running = recordIn(env);
    if (running !== undefined) return running.url;
  }
  return `http://${reachable(env.HOST || '127.0.0.1')}:${port ?? FIRST_PORT}`;
}

/**
 * Where a service is called, host:port: what its variable says (several, separated by commas, are replicas), or where
 * `npm start` has it with this PORT or DATA_DIR.
 */
export function serviceAddress(env: NodeJS.ProcessEnv, name: string): string {
  const given = env[addressVariable(name)];
  if (given) return given;
  const port = portOf(env);
  const running = port === undefined ? recordIn(env)?.addresses[name] : undefined;
  return running ?? `127.0.0.1:${(port ?? FIRST_PORT) + 1 + SERVERS.indexOf(name)}`;
}

/** An address that stands for all of them is none to connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}

/** 0 is any free one: the suite says which. */
function portOf({ PORT = '' }: NodeJS.ProcessEnv): number | undefined {
  return /^[1-9][0-9]{0,4}$/.test(PORT) ? Number(PORT) : undefined;
}

/** Of a suite that runs. */
function recordIn({ DATA_DIR }: NodeJS.ProcessEnv): SuiteRecord | undefined {
  try {
    const record: SuiteRecord = JSON.parse(readFileSync(join(DATA_DIR || '.data', 'suite.json'), 'utf8'));
    return isAlive(record.pid) ? record : undefined;
  } catch {
    return undefined; // none was started there, or not by this version
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}
