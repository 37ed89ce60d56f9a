import type { Logger } from '@gatehouse/kit/log';
import { logFiles } from './log-files.ts';
import { membersOf } from './log-line.ts';
import { readEnd } from './read-end.ts';

/** A request in the edge's access log. */
export interface RecentRequest {
  readonly request_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at_ms: number;
  readonly status: number;
  readonly ms: number;
}

/** By method and pattern, newest first. */
export type RecentRequests = ReadonlyMap<string, readonly RecentRequest[]>;

const EDGE = 'gateway';
const MAX_BYTES = 1024 * 1024;
/** Those that changed last, of so many replicas at most. */
const MAX_FILES = 4;
const PER_ROUTE = 10;
/** Pages that look meanwhile share an answer. */
const KEPT_MS = 3_000;

/** Makes a function that reads the last requests of each route from the edges' logs. Never rejects: then there are none. */
export function recentRequests(dir: string, log: Logger): () => Promise<RecentRequests> {
  let read_ms = Number.NEGATIVE_INFINITY;
  let answer: Promise<RecentRequests> = Promise.resolve(new Map());
  return () => {
    if (performance.now() - read_ms < KEPT_MS) return answer;
    read_ms = performance.now();
    answer = readRecent(dir).catch((error: unknown) => {
      log.warn({ err: error }, 'the logs in CONSOLE_LOG_DIR cannot be read');
      return new Map();
    });
    return answer;
  };
}

async function readRecent(dir: string): Promise<RecentRequests> {
  const edges = (await logFiles(dir)).filter(({ services }) => services.includes(EDGE)).slice(0, MAX_FILES);
  const requests = new Map<string, RecentRequest[]>();
  for (const { path } of edges) await addFile(requests, path, Math.floor(MAX_BYTES / edges.length));
  return new Map(
    [...requests].map(([route, list]) => [
      route,
      list.toSorted((one, other) => other.at_ms - one.at_ms).slice(0, PER_ROUTE),
    ]),
  );
}

/** Adds the last requests of each route in a file. */
async function addFile(all: Map<string, RecentRequest[]>, path: string, bytes: number): Promise<void> {
  const requests = new Map<string, RecentRequest[]>();
  for await (const piece of readEnd(path, bytes))
    for (const line of piece.toString('utf8').split('\n')) addLine(requests, line);
  for (const [route, list] of requests) all.set(route, [...(all.get(route) ?? []), ...list]);
}

function addLine(requests: Map<string, RecentRequest[]>, line: string): void {
  if (!line.includes('"msg":"request"')) return;
  const { name, method, route, request_id, time, status, ms } = membersOf(line) ?? {};
  if (name !== EDGE || typeof request_id !== 'string' || typeof route !== 'string') return;
  const key = `${String(method)} ${route}`;
  const list = requests.get(key) ?? [];
  requests.set(key, list);
  list.push({ request_id, at_ms: Number(time), status: Number(status), ms: Number(ms) });
  if (list.length > PER_ROUTE) list.shift();
}
