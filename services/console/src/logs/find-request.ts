import { type LogFile, logFiles } from './log-files.ts';
import { type LogLine, logLine, membersOf } from './log-line.ts';
import { readEnd } from './read-end.ts';

/** The lines of a request, and what was searched for them. */
export interface FoundLines {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** For the operator. */
  readonly searched: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 2_000;
const MAX_LINES = 500;
const NEWLINE = 10;

/**
 * Finds the lines with a request ID in the newest part of all logs: 64 MiB, within two seconds.
 *
 * @param request_id of printable ASCII characters
 */
export async function findRequest(dir: string, request_id: string): Promise<FoundLines> {
  try {
    return await searchFiles(await logFiles(dir), request_id);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : '';
    return { lines: [], searched: `The logs in CONSOLE_LOG_DIR cannot be read${code}.` };
  }
}

async function searchFiles(files: readonly LogFile[], request_id: string): Promise<FoundLines> {
  const until_ms = performance.now() + MAX_MS;
  const shares = sharesOf(files, MAX_BYTES);
  const needle = Buffer.from(`"request_id":${JSON.stringify(request_id)}`);
  const lines: LogLine[] = [];
  let bytes = 0;
  let isCut = false;
  for (const file of files) {
    for await (const piece of readEnd(file.path, shares.get(file) ?? 0, file.bytes)) {
      bytes += piece.length;
      collect(piece, needle, request_id, lines);
      isCut = performance.now() > until_ms || lines.length >= MAX_LINES;
      if (isCut) break;
    }
    if (isCut) break;
  }
  return {
    lines: lines.slice(0, MAX_LINES).toSorted((one, other) => one.at_ms - other.at_ms),
    searched: searchedText(files, bytes, isCut),
  };
}

/** A file that is shorter than its share leaves the rest to the others. */
function sharesOf(files: readonly LogFile[], max_bytes: number): ReadonlyMap<LogFile, number> {
  const shares = new Map<LogFile, number>();
  let left = max_bytes;
  for (const [index, file] of files.toSorted((one, other) => one.bytes - other.bytes).entries()) {
    const share = Math.min(file.bytes, Math.floor(left / (files.length - index)));
    shares.set(file, share);
    left -= share;
  }
  return shares;
}

function collect(piece: Buffer, needle: Buffer, request_id: string, into: LogLine[]): void {
  for (let at = piece.indexOf(needle); at !== -1 && into.length < MAX_LINES; ) {
    const begin = piece.lastIndexOf(NEWLINE, at) + 1;
    const end = piece.indexOf(NEWLINE, at); // a piece ends with a line
    const json = piece.toString('utf8', begin, end);
    const members = membersOf(json);
    // The text may also be within a value.
    if (members?.request_id === request_id) into.push(logLine(json, members));
    at = piece.indexOf(needle, end);
  }
}

function searchedText(files: readonly LogFile[], bytes: number, isCut: boolean): string {
  const all = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const count = files.length === 1 ? '1 log file' : `${files.length} log files`;
  if (isCut)
    return `Searched ${size} of ${count}, and stopped there: it took too long, or found too many lines.`;
  return bytes < all ? `Searched the last ${size} of ${count}.` : `Searched all of ${count}, ${size}.`;
}
