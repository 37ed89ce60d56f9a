import { type SuiteRecord, suiteRecordFile } from '@gatehouse/cli/suite/suite-record';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Writes the record of this process's suite. Without it commands need PORT, so errors are ignored. */
export function writeStackRecord(data_dir: string, { url, addresses }: Omit<SuiteRecord, 'pid'>): void {
  try {
    const text = `${JSON.stringify({ pid: process.pid, url, addresses })}\n`;
    writeFilesAtomically([{ path: suiteRecordFile(data_dir), text, mode: 0o644 }]);
  } catch {}
}
