import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of a request that cannot be sent twice: in its body, what its answer replaces before it is sent again. */
  readonly successor?: Successor;
}

export interface Successor {
  /** The member of the answer's JSON, a text. */
  readonly member: string;
  /** What it takes the place of. */
  readonly of: string;
}

export interface LoadOrder {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Load before them that does not count; none unless given. */
  readonly lead_seconds?: number;
  /** Of all connections together; as many as are answered unless given. */
  readonly per_second?: number;
  /** Dealt out to the connections, each of which sends its share over and over. */
  readonly requests: readonly LoadRequest[];
}

export interface LoadResult {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** How often each HTTP status came. */
  readonly statuses: Readonly<Record<string, number>>;
}

const idle: ChildProcess[] = [];

/**
 * Runs one round of load from a process of its own, beside the stack on the same cores. The process is used
 * again: a new one spends its first second on compiling.
 */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const worker = idle.pop() ?? fork(new URL('load-worker.ts', import.meta.url));
  for (const held of [worker, worker.channel]) held?.ref();
  worker.send(order);
  const round = new AbortController();
  const outcomes = [once(worker, 'message', round), failed(worker, round)];
  const [result] = (await Promise.race(outcomes).finally(() => round.abort())) as [LoadResult];
  for (const held of [worker, worker.channel]) held?.unref(); // it ends when this process does
  idle.push(worker);
  return result;
}

async function failed(worker: ChildProcess, { signal }: AbortController): Promise<never> {
  const [code] = (await once(worker, 'exit', { signal })) as [number | null];
  throw new Error(`the load generator ended with ${code}`);
}

/** The middle one; of an even number, the upper. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The one below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
