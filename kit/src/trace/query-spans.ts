import type { Pool } from 'pg';
import { statementLabels, summary } from '../db/statement-label.ts';
import type { WatchQuery } from '../db/watch-queries.ts';
import { bindToCurrentSpan, currentSpan, errorType } from './current-span.ts';

type Connect = (callback?: (...args: unknown[]) => void) => unknown;

/** Makes spans of the statements of sampled requests, with their names and without values. */
export function querySpans(pool: Pool): WatchQuery {
  bindWaitingCallers(pool);
  const labelOf = statementLabels();
  const namespace = String(
    pool.options.database ?? new URL(pool.options.connectionString ?? '').pathname.slice(1),
  );
  return (statement) => {
    const parent = currentSpan();
    if (parent === undefined) return undefined;
    const label = statement.name === undefined ? summary(statement.text) : labelOf(statement);
    const span = parent.child(label, 'client', {
      'db.system.name': 'postgresql',
      'db.namespace': namespace,
      'db.query.summary': label,
    });
    return (error) => {
      if (error !== undefined) span.fail(sqlState(error) ?? errorType(error));
      span.end();
    };
  };
}

/** Binds callers that wait for a connection to their spans: pg-pool calls them from the code that releases one. */
function bindWaitingCallers(pool: Pool): void {
  const connect = pool.connect.bind(pool) as Connect; // both overloads, with a callback and without
  pool.connect = ((callback?: Parameters<Connect>[0]) =>
    callback === undefined ? connect() : connect(bindToCurrentSpan(callback))) as Pool['connect'];
}

function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
