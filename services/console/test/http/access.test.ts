import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../src/actions/registry.ts';
import { includesRole, ROLES } from '../../src/role.ts';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, newOperator, Visitor } from '../visitor.ts';

/** Routes that need no session: they open one. */
const OPEN = [
  'POST /api/sign-in/link',
  'POST /api/sign-in/passkey',
  'POST /api/sign-in/passkey/options',
  'POST /api/sign-in/password',
];
/** Routes of an operator's own sign-in. The session of a one-time link may use them, and no others. */
const OWN = [
  'GET /api/me',
  'POST /api/enrol/passkey',
  'POST /api/enrol/passkey/options',
  'POST /api/enrol/password',
  'POST /api/enrol/totp',
  'POST /api/sign-out',
];
/** It reads, with a body. */
const READING_POST = 'POST /api/limits/explain';

const acting = ACTIONS.map(({ method, path }) => `${method} ${path}`);
/** As Fastify has them, without HEAD: "GET /api/accounts/:id". */
const routes: string[] = [];
let service: ConsoleUnderTest;
beforeAll(async () => {
  // Fastify publishes each server that it makes.
  const onServer = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }; // Fastify's documented message
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const verb of [method].flat()) if (verb !== 'HEAD') routes.push(`${verb} ${url}`);
    });
  };
  subscribe('fastify.initialization', onServer);
  service = await startConsole('console_access');
  unsubscribe('fastify.initialization', onServer);
});
afterAll(() => service.close());

const ofApi = () => routes.filter((route) => route.includes(' /api'));

/** Sends a request to a route. Parameters stand for things that do not exist. */
async function ask(visitor: Visitor, route: string): Promise<number> {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(':name', 'nobody').replace(/:\w+/, '1');
  if (path.endsWith('/stream')) return statusOfStream(visitor, path);
  const { status } = await visitor.send(method, path, method === 'GET' ? undefined : { reason: 'A test.' });
  return status;
}

/** The stream never ends by itself. */
async function statusOfStream(visitor: Visitor, path: string): Promise<number> {
  const given = new AbortController();
  const { status } = await fetch(service.url + path, { headers: visitor.headers(), signal: given.signal });
  given.abort();
  return status;
}

describe('every route of the API', () => {
  it('that changes anything is an action of the registry, or opens or sets up a sign-in', () => {
    const changing = ofApi().filter((route) => !route.startsWith('GET '));
    expect(changing.toSorted()).toEqual([...OPEN, ...OWN.slice(1), ...acting, READING_POST].toSorted());
    expect(ofApi().length).toBeGreaterThan(changing.length + 20);
  });

  it('is under /api: what else is served are pages', () => {
    const others = routes.filter((route) => !route.includes(' /api/'));
    expect(others.filter((route) => !/^GET \/(?:assets\/|[\w.-]*$)/.test(route))).toEqual([]);
  });

  it('but those that sign in refuses strangers, and credentials that it does not know', async () => {
    const strangers = [
      new Visitor(service),
      new Visitor(service, { headers: { authorization: `Bearer gho_${'a'.repeat(43)}` } }),
      new Visitor(service, { headers: { cookie: `gatehouse_console=${'a'.repeat(43)}` } }),
      new Visitor(service, { headers: { 'x-operator': 'nobody' } }),
    ];
    for (const route of ofApi().filter((one) => !OPEN.includes(one)))
      for (const stranger of strangers) expect([route, await ask(stranger, route)]).toEqual([route, 401]);
  });

  it('but those of one’s own sign-in refuses the session of a one-time link', async () => {
    const { link_token } = await newOperator(service, 'newcomer');
    const visitor = new Visitor(service);
    await visitor.post('/api/sign-in/link', { token: link_token });
    for (const route of ofApi().filter((one) => !OPEN.includes(one) && !OWN.includes(one)))
      expect([route, await ask(visitor, route)]).toEqual([route, 401]);
    expect((await visitor.get('/api/me')).body).toMatchObject({ state: 'enrol' });
  });

  it.each(ROLES)('is open to the role %s, or refused, as the registry says', async (role) => {
    const command = await commandOf(service, `with-${role}`, role);
    const earlier = await lines();
    for (const route of ofApi().filter((one) => !OPEN.includes(one) && !OWN.includes(one))) {
      const action = ACTIONS.find(({ method, path }) => route === `${method} ${path}`);
      const isRefused = action !== undefined && !includesRole(role, action.role);
      const status = await ask(command, route);
      if (isRefused) expect([route, status]).toEqual([route, 403]);
      else expect([401, 403], route).not.toContain(status);
    }
    // A refused request leaves no line.
    const acted = (await lines()).slice(earlier.length);
    const allowed = ACTIONS.filter((action) => includesRole(role, action.role)).map(({ name }) => name);
    expect(acted.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

it('the roles of the actions are those of docs/operators.md', () => {
  expect(Object.fromEntries(ACTIONS.map(({ name, role }) => [name, role]))).toEqual({
    'account.suspend': 'support',
    'account.restore': 'support',
    'account.end-sessions': 'support',
    'account.reset-factors': 'support',
    'account.revoke-grants': 'admin',
    'application.disable': 'admin',
    'application.enable': 'admin',
    'webhook.disable': 'support',
    'webhook.enable': 'support',
    'guild.disable': 'admin',
    'guild.enable': 'admin',
    'limit.reset': 'support',
    'limit.override': 'admin',
    'limit.remove-override': 'admin',
    'job.run': 'admin',
    'operator.add': 'admin',
    'operator.update': 'admin',
    'operator.remove': 'admin',
  });
});

async function lines(): Promise<string[]> {
  const { rows } = await service.db.query<{ action: string }>('SELECT action FROM actions ORDER BY id');
  return rows.map(({ action }) => action);
}
