import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Where a suite listens. It stands in `suite.json` of its DATA_DIR, where the commands look for it. */
export interface StackRecord {
  readonly pid: number;
  /** The edge's, without a path. */
  readonly url: string;
  /** Where each process listens, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Writes the record of this process's suite. Without it only the commands know less, so errors are ignored. */
export function writeStackRecord(data_dir: string, { url, addresses }: Omit<StackRecord, 'pid'>): void {
  try {
    const text = `${JSON.stringify({ pid: process.pid, url, addresses })}\n`;
    writeFilesAtomically([{ path: join(data_dir, 'suite.json'), text, mode: 0o644 }]);
  } catch {}
}

/** The host by which this machine reaches what listens at `host`: the loopback for the wildcard addresses. */
export function connectHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}
