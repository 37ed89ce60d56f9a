import { type StackRecord, stackRecordFile } from '@gatehouse/cli/stack/stack-record';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Writes the record of this process's stack. Without it commands need PORT, so errors are ignored. */
export function writeStackRecord(
  data_dir: string,
  { url, addresses, console_url, shared }: Omit<StackRecord, 'pid'>,
): void {
  try {
    const text = `${JSON.stringify({ pid: process.pid, url, console_url, shared, addresses })}\n`;
    writeFilesAtomically([{ path: stackRecordFile(data_dir), text, mode: 0o644 }]);
  } catch {}
}
