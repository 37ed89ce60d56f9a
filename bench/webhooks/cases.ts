import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { TURNS, WEBHOOKS, webhookPath } from './population.ts';

/** A case, and the case that it is compared with. */
export interface WebhookCase extends LoadCase {
  readonly compared_with: string;
}

const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/** Executions of a thousand webhooks, of different ones in each turn, with all rate limits on. */
export function execution(url: string, connections: number): WebhookCase {
  let turn = 0;
  return {
    name: `execution ${connections}`,
    what: `of ${WEBHOOKS} webhooks, without wait`,
    url,
    connections,
    requests: () => executions((turn++ % TURNS) * WEBHOOKS),
    expected: 204,
    compared_with: bareName(connections),
  };
}

export function bareRoute(url: string, connections: number): WebhookCase {
  const name = bareName(connections);
  return {
    name,
    what: 'a bare Fastify route',
    url,
    connections,
    requests: [{ method: 'GET', path: '/' }],
    expected: 200,
    compared_with: name,
  };
}

function bareName(connections: number): string {
  return `bare ${connections}`;
}

function executions(first: number): LoadRequest[] {
  return Array.from({ length: WEBHOOKS }, (_, n) => ({
    method: 'POST',
    path: `/api/v1${webhookPath(first + n)}`,
    headers: { 'content-type': 'application/json' },
    body: MESSAGE,
  }));
}
