import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses of a running stack: the content of stack.json in its DATA_DIR. */
export interface StackRecord {
  /** The process that started it. */
  readonly pid: number;
  /** The edge's, without a path. */
  readonly url: string;
  /** host:port by the name of the process. */
  readonly addresses: Readonly<Record<string, string>>;
}

export function stackRecordFile(data_dir: string): string {
  return join(data_dir, 'stack.json');
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
