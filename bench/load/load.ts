import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For requests that cannot be repeated unchanged: replaces a part of the body by a member of the last response. */
  readonly successor?: Successor;
}

export interface Successor {
  /** The member of the response's JSON, a string. */
  readonly member: string;
  /** The text in the body that it replaces. */
  readonly replaces: string;
}

export interface LoadOrder {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Uncounted load before them. Default: none. */
  readonly lead_seconds?: number;
  /** Requests per second of all connections together. Default: as many as the server answers. */
  readonly per_second?: number;
  /** Distributed over the connections, each of which repeats its share. */
  readonly requests: readonly LoadRequest[];
}

export interface LoadResult {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** The number of responses by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const idle: ChildProcess[] = [];

/**
 * Runs one round of load in a separate process, on the same cores as the stack. The process is reused, because a new
 * one compiles for its first second.
 */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const worker = idle.pop() ?? fork(new URL('load-worker.ts', import.meta.url));
  for (const held of [worker, worker.channel]) held?.ref();
  worker.send(order);
  const round = new AbortController();
  const outcomes = [once(worker, 'message', round), failed(worker, round)];
  const [result] = (await Promise.race(outcomes).finally(() => round.abort())) as [LoadResult];
  for (const held of [worker, worker.channel]) held?.unref(); // it ends with this process
  idle.push(worker);
  return result;
}

async function failed(worker: ChildProcess, { signal }: AbortController): Promise<never> {
  const [code] = (await once(worker, 'exit', { signal })) as [number | null];
  throw new Error(`the load generator ended with ${code}`);
}

/** The median; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (lower + upper) / 2;
}

/** The median of each figure of several turns, rounded by `round`. */
export function medians(
  turns: readonly Readonly<Record<string, number>>[],
  round = (value: number, _name: string): number => value,
): Record<string, number> {
  const names = Object.keys(turns[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, round(median(turns.map((turn) => turn[name] ?? Number.NaN)), name)]),
  );
}

/** The quantile of `share`, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
