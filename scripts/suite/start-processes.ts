import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@gatehouse/kit/env';
import { COMPILE_CACHE } from './compile-ahead.ts';
import { PROCESSES } from './processes.ts';
import { type Supervised, supervise } from './supervise.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];
/** They start together, so whoever else cannot use its settings says so within this. */
const GATHER_MS = 500;

export interface Started {
  readonly processes: readonly Supervised[];
  /** Rejects when a process cannot use its settings, with what each such process says. */
  readonly misconfigured: Promise<never>;
}

/** Starts every process of the suite, each with its environment. */
export function startProcesses(
  environments: readonly NodeJS.ProcessEnv[],
  logs: string,
  say: (line: string) => void,
): Started {
  const complaints: string[] = [];
  let complain: () => void = () => undefined;
  const complained = new Promise<void>((resolve) => {
    complain = resolve;
  });
  say(`starting ${PROCESSES.map(({ name }) => name).join(', ')}`);
  const processes = PROCESSES.map(({ name, entry }, index) =>
    supervise({
      name,
      args: [...NODE_FLAGS, entry],
      cwd: ROOT,
      env: { ...environments[index], NODE_COMPILE_CACHE: COMPILE_CACHE },
      log_file: join(logs, `${name}.log`),
      say,
      onBadConfig: (text) => {
        complaints.push(text);
        complain();
      },
    }),
  );
  const misconfigured = complained.then(async () => {
    await sleep(GATHER_MS);
    throw new ConfigError(complaints);
  });
  misconfigured.catch(() => undefined); // After the start it has no listener, and is said below.
  return { processes, misconfigured };
}
