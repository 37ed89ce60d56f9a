import type { Pool, PoolClient } from 'pg';

/** A statement sent to the server. */
export interface Statement {
  /** The name of a prepared statement. */
  readonly name: string | undefined;
  readonly text: string;
}

/** Called when a statement is sent. May return an end callback. */
export type WatchQuery = (statement: Statement) => ((error?: unknown) => void) | undefined;

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => void;

/** Watches every statement of a pool's connections, including those in transactions. */
export function watchQueries(pool: Pool, watches: readonly WatchQuery[]): void {
  const watch = combined(watches);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query; // the other overloads are not used here
    client.query = watched(query, watch) as PoolClient['query'];
  });
}

function combined(watches: readonly WatchQuery[]): WatchQuery {
  const [only, ...others] = watches;
  if (only !== undefined && others.length === 0) return only;
  return (statement) => {
    const endCallbacks = watches.flatMap((watch) => watch(statement) ?? []);
    if (endCallbacks.length === 0) return undefined;
    return (error) => {
      for (const ended of endCallbacks) ended(error);
    };
  };
}

function watched(query: Query, watch: WatchQuery): Query {
  return (...args) => {
    const ended = watch(statementOf(args[0]));
    if (ended === undefined) return query(...args);
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      const wrapped: Callback = (error, ...rest) => {
        ended(error ?? undefined);
        callback(error, ...rest);
      };
      return query(...args.slice(0, -1), wrapped);
    }
    const answer = query(...args);
    if (answer instanceof Promise) answer.then(() => ended(), ended);
    return answer;
  };
}

function statementOf(query: unknown): Statement {
  if (typeof query === 'string') return { name: undefined, text: query };
  const { name, text } = query as Partial<Statement>;
  return { name: name === '' ? undefined : name, text: text ?? '' };
}
