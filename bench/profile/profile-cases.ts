import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import type { Seed } from '../seed.ts';

const CONNECTIONS = [64, 8] as const;
const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/** A public route with its limit, the same with a session, and a webhook execution, with many and few connections. */
export function profileCases(url: string, { sessions, webhooks }: Seed): LoadCase[] {
  const { pathname } = new URL(url);
  const read: LoadRequest[] = webhooks.map((path) => ({ method: 'GET', path: pathname + path }));
  const withSession = read.map((request, index) => ({
    ...request,
    headers: { authorization: `Bearer ${sessions[index % sessions.length]}` },
  }));
  const execute = read.map(({ path }) => ({
    method: 'POST' as const,
    path,
    headers: { 'content-type': 'application/json' },
    body: MESSAGE,
  }));
  const kinds = [
    ['public', read, 200],
    ['session', withSession, 200],
    ['execution', execute, 204],
  ] as const;
  return CONNECTIONS.flatMap((connections) =>
    kinds.map(([kind, requests, expected]) => ({
      name: `${kind} ${connections}`,
      what: kind,
      url,
      connections,
      requests,
      expected,
    })),
  );
}

export function isExecution({ what }: LoadCase): boolean {
  return what === 'execution';
}
