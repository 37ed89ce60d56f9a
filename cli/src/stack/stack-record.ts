import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses of a running stack: the content of stack.json in its DATA_DIR. */
export interface StackRecord {
  /** The process that started it. */
  readonly pid: number;
  /** The edge's, without a path. */
  readonly url: string;
  /** The console's, without a path; absent without a console. */
  readonly console_url?: string;
  /** Whether the edge or realtime shares its process with other services. */
  readonly shared?: boolean;
  /** host:port by the name of the process. */
  readonly addresses: Readonly<Record<string, string>>;
}

export function stackRecordFile(data_dir: string): string {
  return join(data_dir, 'stack.json');
}

/** The token with which commands of this machine act at the console; only its user may read it. */
export function consoleTokenFile(data_dir: string): string {
  return join(data_dir, 'console', 'token');
}

/** The record of a stack that runs now. */
export function readStackRecord(data_dir: string): StackRecord | undefined {
  try {
    const record: StackRecord = JSON.parse(readFileSync(stackRecordFile(data_dir), 'utf8'));
    return isAlive(record.pid) ? record : undefined;
  } catch {
    return undefined; // none was started there, or another version wrote it
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
