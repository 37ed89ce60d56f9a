import type { BenchOptions } from '../../bench.ts';
import { chatCases } from '../../chat/cases.ts';
import { populateChat } from '../../chat/population.ts';
import { type ComparedCase, measureGroups } from '../../load/in-turns.ts';
import { type Fixture, withFixture } from '../../parts/fixture.ts';
import { execution } from '../../webhooks/cases.ts';
import { populateWebhooks, webhookPath } from '../../webhooks/population.ts';
import { bothModes, byConnections, inMode, type ModeStack } from './modes.ts';

const BARE = 'bare Fastify';
/** Pages of messages are not measured. */
const MESSAGES = 1_000;
/** Of a case, each of another account or webhook: enough that no bucket reaches its limit. */
export const REQUESTS = 6_000;

/** The servers of the pieces that measure HTTP. */
interface Servers {
  readonly bare: string;
  readonly stacks: readonly ModeStack[];
}

/** A public route and GET /users/@me, beside a bare Fastify route and @fastify/http-proxy in front of one. */
export async function reads(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const servers = await startServers(fixture, options);
    const running = fixture.processes();
    const proxy = `http://${await running.start('http-proxy', { UPSTREAM: servers.bare })}`;
    const groups = byConnections((connections) => ({
      title: 'reads',
      cases: [
        bareCase(servers.bare, connections),
        {
          ...bareCase(proxy, connections),
          name: '@fastify/http-proxy',
          what: 'in front of the bare Fastify server',
        },
        ...servers.stacks.flatMap((one) => [publicRoute(one, connections), currentUser(one, connections)]),
      ],
    }));
    await measureGroups(groups, options);
  });
}

/** Webhook executions and posts of messages, beside a bare Fastify route. */
export async function writes(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const servers = await startServers(fixture, options);
    const groups = byConnections((connections) => ({
      title: 'writes',
      cases: [
        bareCase(servers.bare, connections),
        ...servers.stacks.flatMap((one) => [executionOf(one, connections), postOf(one, connections)]),
      ],
    }));
    await measureGroups(groups, options);
  });
}

async function startServers(fixture: Fixture, options: BenchOptions): Promise<Servers> {
  const running = fixture.processes();
  const bare = `http://${await running.start('bare')}`;
  const stacks = await bothModes(fixture, options);
  options.say('filling the databases');
  for (const { postgres } of stacks) {
    await populateChat(postgres.url, MESSAGES);
    await populateWebhooks(postgres.url);
  }
  return { bare, stacks };
}

function bareCase(url: string, connections: number): ComparedCase {
  return {
    name: BARE,
    what: 'an empty route',
    url,
    connections,
    requests: [{ method: 'GET', path: '/' }],
    expected: 200,
    compared_with: BARE,
  };
}

function publicRoute({ mode, stack: { url } }: ModeStack, connections: number): ComparedCase {
  return {
    name: inMode('GET /webhooks/{id}/{token}', mode),
    what: 'a public route: limit, dispatch, a look-up in PostgreSQL',
    url,
    connections,
    requests: Array.from({ length: REQUESTS }, (_, n) => ({
      method: 'GET',
      path: `/api/v1${webhookPath(n)}`,
    })),
    expected: 200,
    compared_with: BARE,
  };
}

function currentUser(one: ModeStack, connections: number): ComparedCase {
  return ofChat(one, connections, 'GET /users/@me', 'GET /users/@me 8');
}

function postOf(one: ModeStack, connections: number): ComparedCase {
  return ofChat(one, connections, 'POST message', 'POST message 32');
}

/** A case of the benchmark `chat`, with other connections. */
function ofChat(
  { mode, stack: { url } }: ModeStack,
  connections: number,
  subject: string,
  name: string,
): ComparedCase {
  const one = chatCases(url, url).find((found) => found.name === name);
  if (one === undefined) throw new Error(`chat has no case ${name}`);
  const requests = typeof one.requests === 'function' ? one.requests() : one.requests;
  return {
    ...one,
    name: inMode(subject, mode),
    connections,
    requests: requests.slice(0, REQUESTS),
    compared_with: BARE,
  };
}

function executionOf({ mode, stack: { url } }: ModeStack, connections: number): ComparedCase {
  return {
    ...execution(url, connections),
    name: inMode('webhook execution', mode),
    compared_with: BARE,
  };
}
