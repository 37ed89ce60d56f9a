import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a suite listens: the content of suite.json in its DATA_DIR. */
export interface SuiteRecord {
  /** The process that started it. */
  readonly pid: number;
  /** The edge's, without a path. */
  readonly url: string;
  /** host:port by the name of the process. */
  readonly addresses: Readonly<Record<string, string>>;
}

export function suiteRecordFile(data_dir: string): string {
  return join(data_dir, 'suite.json');
}

/** The record of a suite that runs now. */
export function readSuiteRecord(data_dir: string): SuiteRecord | undefined {
  try {
    const record: SuiteRecord = JSON.parse(readFileSync(suiteRecordFile(data_dir), 'utf8'));
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
