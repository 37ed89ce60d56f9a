import type { Route } from '@gatehouse/gateway/route';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { EXAMPLES } from '../api-reference/examples.ts';
import { rpcName, summary } from '../api-reference/rpc-comment.ts';
import type { Problems } from './problems.ts';

/** Finds routes whose RPC has no comment. */
export function findUndescribedRoutes(
  rows: readonly Route[],
  comments: ContractComments,
  problems: Problems,
): void {
  for (const row of rows)
    if (summary(row, comments) === '')
      problems.add(`${row.verb} ${row.path}`, `the RPC ${rpcName(row)} has no comment`);
}

/** Finds examples of RPCs that no route calls. */
export function findUnknownExamples(
  rows: readonly Route[],
  problems: Problems,
  examples: Readonly<Record<string, unknown>> = EXAMPLES,
): void {
  const rpcs = new Set(rows.map(({ service, rpc }) => `${service}.${rpc}`));
  for (const name of Object.keys(examples))
    if (!rpcs.has(name)) problems.add(`scripts/api-reference/examples.ts: ${name}`, 'no route has this RPC');
}

/** Finds operations of a document that are no routes, and routes that it leaves out. */
export function findOtherRoutes(
  file: string,
  text: string,
  rows: readonly Route[],
  problems: Problems,
): void {
  const { paths = {} } = text === '' ? {} : (JSON.parse(text) as { paths?: Record<string, object> });
  const routes = new Set(rows.map(({ verb, path }) => `${verb} ${path}`));
  const operations = new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
    ),
  );
  for (const one of operations.difference(routes)) problems.add(`${file}: ${one}`, 'there is no such route');
  for (const one of routes.difference(operations)) problems.add(`${file}: ${one}`, 'the route is missing');
}
