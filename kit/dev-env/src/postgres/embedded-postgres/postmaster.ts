import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieWithParent } from '../../processes/die-with-parent.ts';
import { withLog } from '../../processes/with-log.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

const POLL_MS = 20;
/** A fast shutdown writes a checkpoint. After this time an immediate shutdown follows. */
const FAST_SHUTDOWN_MS = 8_000;

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly data: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log_file: string;
}

export interface Postmaster {
  readonly pid: number;
  /** Settles when the server has ended for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server, and returns when it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const child = run(options);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const pid = child.pid ?? 0;
  await untilReady(child, options.data);
  if (hasEnded(child)) throw new Error(`PostgreSQL did not start: ${await lastLines(options.log_file)}`);
  return { pid, ended, stop: () => stop(pid, ended) };
}

/** In a session of its own, so that Ctrl-C in a terminal does not stop it before its clients. */
function run({ binaries, account, data, settings, log_file }: PostmasterOptions): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = dieWithParent('INT', join(binaries.folder, 'bin/postgres'), ['-D', data, ...flags]);
  return withLog(log_file, 0o600, (output) =>
    spawn(...command, {
      ...account,
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', output, output],
    }),
  );
}

/** As pg_ctl does: the eighth line of postmaster.pid is "ready" once connections are accepted. */
async function untilReady(child: ChildProcess, data: string): Promise<void> {
  while (!hasEnded(child)) {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
    await sleep(POLL_MS);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function stop(pid: number, ended: Promise<unknown>): Promise<void> {
  signal(pid, 'SIGINT');
  const late = sleep(FAST_SHUTDOWN_MS, 'late', { ref: false });
  if ((await Promise.race([ended, late])) === 'late') signal(pid, 'SIGQUIT');
  await ended;
}

/**
 * Stops the processes of an earlier start that was killed: a running postmaster, or its last backends. Then removes
 * postmaster.pid, whose number may belong to another process by now.
 */
export async function endLeftovers(data: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => undefined);
  if (content === undefined) return;
  if ((await processesIn(data)).length > 0) {
    log('stopping the PostgreSQL that an earlier start left behind');
    const gone = untilNobodyIn(data);
    if ((await processesIn(data)).includes(Number.parseInt(content, 10)))
      await stop(Number.parseInt(content, 10), gone);
    await gone;
  }
  await rm(pidFile, { force: true });
}

async function untilNobodyIn(data: string): Promise<void> {
  while ((await processesIn(data)).length > 0) await sleep(POLL_MS);
}

/** PostgreSQL's processes have their data folder as working directory, so /proc identifies them. */
async function processesIn(data: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
  return pids.filter((_, index) => folders[index] === data).map(Number);
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-5).join('\n');
}
