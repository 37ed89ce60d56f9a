import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of logs, which ends with the test. */
export interface LogFolder {
  readonly dir: string;
  path(name: string): string;
  /** Appends a line to a file. An object is written as pino would. */
  write(name: string, ...lines: readonly (string | object)[]): Promise<void>;
}

export async function logFolder(): Promise<LogFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-console-logs-'));
  await chmod(dir, 0o755);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const path = (name: string) => join(dir, name);
  return {
    dir,
    path,
    write: (name, ...lines) =>
      appendFile(
        path(name),
        lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      ),
  };
}

/** A line of a service's log. */
export function line(request_id: string, at_ms: number, members: object = {}): object {
  return { level: 30, time: at_ms, name: 'gateway', request_id, msg: 'request', ...members };
}
