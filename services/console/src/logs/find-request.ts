import { basename } from 'node:path';
import { type LogFile, logFiles } from './log-files.ts';
import { type LogLine, logLine, membersOf } from './log-line.ts';
import { MAX_LINE_BYTES, readEnd } from './read-end.ts';

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
/** Characters of an answer's lines. */
const MAX_FOUND = 4 * 1024 * 1024;
/** Files that an answer names. */
const MAX_NAMED = 5;
const NEWLINE = 10;

/**
 * Finds the lines with a request ID in the newest part of all logs: 64 MiB, within two seconds. Never rejects.
 *
 * @param request_id of printable ASCII characters
 */
export async function findRequest(dir: string, request_id: string): Promise<FoundLines> {
  try {
    return await searchFiles(await logFiles(dir), request_id);
  } catch (error) {
    return { lines: [], searched: `The logs in CONSOLE_LOG_DIR cannot be read: ${codeOf(error)}.` };
  }
}

/** What a search has found and read so far. */
interface Search {
  readonly request_id: string;
  readonly needle: Buffer;
  readonly until_ms: number;
  readonly lines: LogLine[];
  /** Characters of the found lines. */
  found: number;
  bytes: number;
  /** Whether it ended early. */
  isCut: boolean;
  /** Whether a line was skipped for its length. */
  hasLongLine: boolean;
  /** Files that cannot be read, with the reason. */
  readonly unread: string[];
}

async function searchFiles(files: readonly LogFile[], request_id: string): Promise<FoundLines> {
  const shares = sharesOf(files, MAX_BYTES);
  const search: Search = {
    request_id,
    needle: Buffer.from(`"request_id":${JSON.stringify(request_id)}`),
    until_ms: performance.now() + MAX_MS,
    lines: [],
    found: 0,
    bytes: 0,
    isCut: false,
    hasLongLine: false,
    unread: [],
  };
  for (const file of files) {
    try {
      await searchFile(search, file.path, shares.get(file) ?? 0);
    } catch (error) {
      search.unread.push(`${basename(file.path)} (${codeOf(error)})`);
    }
    if (search.isCut) break;
  }
  return {
    lines: search.lines.toSorted((one, other) => one.at_ms - other.at_ms),
    searched: searchedText(files, search),
  };
}

async function searchFile(search: Search, path: string, bytes: number): Promise<void> {
  const skipped = (): void => {
    search.hasLongLine = true;
  };
  for await (const piece of readEnd(path, bytes, skipped)) {
    search.bytes += piece.length;
    collect(search, piece);
    search.isCut ||= performance.now() > search.until_ms;
    if (search.isCut) return;
  }
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

function collect(search: Search, piece: Buffer): void {
  for (let at = piece.indexOf(search.needle); at !== -1 && !search.isCut; ) {
    const begin = piece.lastIndexOf(NEWLINE, at) + 1;
    const end = piece.indexOf(NEWLINE, at); // a piece ends with a line
    if (end - begin > MAX_LINE_BYTES) search.hasLongLine = true;
    else addLine(search, piece.toString('utf8', begin, end));
    at = piece.indexOf(search.needle, end);
  }
}

function addLine(search: Search, json: string): void {
  const members = membersOf(json);
  // The text may also be within a value.
  if (members?.request_id !== search.request_id) return;
  search.lines.push(logLine(json, members));
  search.found += json.length;
  search.isCut = search.lines.length >= MAX_LINES || search.found >= MAX_FOUND;
}

function searchedText(files: readonly LogFile[], search: Search): string {
  const { bytes, isCut, hasLongLine, unread } = search;
  const all = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const count = files.length === 1 ? '1 log file' : `${files.length} log files`;
  const searched = isCut
    ? `Searched ${size} of ${count}, and stopped there: it took too long, or found too many lines.`
    : bytes < all
      ? `Searched the last ${size} of ${count}.`
      : `Searched all of ${count}, ${size}.`;
  return [
    searched,
    ...(hasLongLine ? [`Lines of more than ${MAX_LINE_BYTES / 1024} KiB were skipped.`] : []),
    ...(unread.length > 0 ? [`Could not read ${unread.slice(0, MAX_NAMED).join(', ')}.`] : []),
  ].join(' ');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
