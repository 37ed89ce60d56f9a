import { unavailable } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import type { ServiceName } from '../../src/service-definitions.ts';
import { type Edge, useEdge } from '../support/edge.ts';
import type { SendOptions } from '../support/http.ts';
import { ACCESS_TOKEN, BOT, SESSION } from '../support/peers.ts';
import { raw, request, wire } from '../support/wire.ts';

const headers = { authorization: `Bearer ${SESSION}` };

const WEB_APP_URL = 'https://chat.example.com';

describe('the access log', () => {
  const edge = useEdge({ config: { web_app_url: WEB_APP_URL } });

  it.each<[string, string, SendOptions, number, code?: string]>([
    ['GET /guilds/11', '/guilds/{guild_id}', { headers }, 200],
    ['HEAD /guilds/11', '/guilds/{guild_id}', { headers }, 200],
    ['POST /webhooks/41/tok?wait=1', '/webhooks/{webhook_id}/{token}', {}, 204],
    ['GET /users/@me', '/users/@me', {}, 401, 'UNAUTHORIZED'],
    ['GET /guilds/0x1', '/guilds/{guild_id}', { headers }, 400, 'INVALID_FORM_BODY'],
    ['POST /no/such/route', '(unmatched)', {}, 404, 'NOT_FOUND'],
    ['GET //gateway', '/gateway', {}, 426, 'UPGRADE_REQUIRED'],
    ['GET //media/icons/1/x', '/media/icons/{id}/{hash}', {}, 404, 'NOT_FOUND'],
    ['GET /auth/reset/tok', '/auth/reset/{token}', {}, 200],
    ['GET /auth/ip-authorization/poll?ticket=t', '/auth/ip-authorization/poll', {}, 200],
  ])('has one line for %s, with the pattern %s', async (line, route, options, status, code) => {
    const answer = await edge.send(line, options);
    await expect.poll(() => edge.log.length).toBe(1);
    expect(lines(edge)[0]).toEqual({
      level: 30,
      time: expect.any(Number),
      name: 'gateway',
      request_id: answer.headers.get('x-request-id'),
      method: line.split(' ')[0],
      route,
      status,
      ms: expect.any(Number),
      msg: 'request',
      ...(code !== undefined && { docs: `${WEB_APP_URL}/docs/errors#${code}` }),
    });
    expect(answer.text).not.toContain(WEB_APP_URL);
  });

  it('logs a denial at info', async () => {
    edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1, empty_after_us: 1 };
    await edge.send('POST /guilds');
    const docs = `${WEB_APP_URL}/docs/errors#RATE_LIMITED`;
    expect(lines(edge)).toMatchObject([{ level: 30, status: 429, docs }]);
  });

  it('logs an unexpected failure at error, with its cause', async () => {
    edge.peers.answers.chat = {
      getGuild: () => {
        throw new Error('the database is on fire');
      },
    };
    await edge.send('GET /guilds/11', { headers });
    const docs = `${WEB_APP_URL}/docs/errors#INTERNAL_SERVER_ERROR`;
    expect(lines(edge)).toMatchObject([
      { level: 50, route: '/guilds/{guild_id}', status: 500, docs, err: {} },
    ]);
  });

  it('logs a disconnected client at info', async () => {
    const connection = await wire(edge);
    connection.write(request('POST /webhooks/41/tok', ['Content-Length: 10']));
    await expect.poll(() => edge.peers.calls.length).toBe(1);
    connection.destroy();
    await expect.poll(() => edge.log.length).toBe(1);
    expect(lines(edge)).toMatchObject([{ level: 30, route: '/webhooks/{webhook_id}/{token}', status: 499 }]);
  });
});

const SECRETS = [SESSION, BOT, ACCESS_TOKEN, 's3cret'];
const CREDENTIALS = [
  `Bearer ${SESSION}`,
  `Bearer ${ACCESS_TOKEN}`,
  `Bot ${BOT}`,
  'Bearer gth_s3cret',
  'garbage s3cret',
  'Basic s3cret',
  '',
];
const BODIES = [
  { email: 's3cret@example.com', password: 's3cret', token: 's3cret', name: 's3cret' },
  { ticket: 's3cret', code: 's3cret', mfa_code: 's3cret', new_password: 's3cret', secret: 's3cret' },
  '{"s3cret',
  's3cret'.repeat(12_000),
];
const TARGETS = [
  'POST /auth/login',
  'POST /auth/register',
  'POST /auth/login/mfa/totp',
  'POST /auth/reset',
  'GET /auth/reset/s3cret',
  'GET /auth/reset/s3cret/s3cret',
  'GET /auth/ip-authorization/poll',
  'POST /auth/sudo',
  'PATCH /users/@me',
  'POST /users/@me/mfa/totp/enable',
  'POST /guilds',
  'POST /webhooks/41/s3cret',
  'POST /webhooks/0x1/s3cret',
  'POST /webhooks/s3cret/s3cret/codehost',
  'POST /webhooks/41/s3cret/statuspage',
  'GET /webhooks/41/s3cret',
  'GET /webhooks/41/s3cret%zz',
  'GET /s3cret/s3cret',
  'DELETE /webhooks/41/s3cret',
  'GET /users/@me',
  'GET /oauth2/applications/@me',
  'GET //s3cret',
  'OPTIONS /webhooks/41/s3cret',
];
const BROKEN = [
  'GET /s3cret HTTP/9.9\r\n\r\n',
  'GET /api/v1/webhooks/41/s3cret HTTP/1.1\r\nAuthorization: s3cret\r\nBad Header: s3cret\r\n\r\n',
  `GET /api/v1/webhooks/41/${'s3cret'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
];

describe('no log line at any level holds a secret', () => {
  const edge = useEdge({ config: { log_level: 'trace' } });

  /** Requests to every kind of route, with secrets in every part that a client controls. */
  async function tryEverything(): Promise<void> {
    const elsewhere = { cookie: 's3cret', 'x-codehost-delivery': 's3cret', 'user-agent': 's3cret' };
    const query = '?access_token=s3cret&wait=s3cret&ticket=s3cret';
    for (const target of TARGETS) {
      for (const authorization of CREDENTIALS) {
        for (const body of /^(POST|PATCH)/.test(target) ? BODIES : ['']) {
          await edge.send(target + query, { headers: { ...elsewhere, authorization }, body });
        }
      }
    }
    for (const bytes of BROKEN) await raw(edge, bytes);
  }

  /** The logged statuses, after a check that no line has a secret. */
  function expectNoSecret(): unknown[] {
    for (const line of edge.log) for (const secret of SECRETS) expect(line).not.toContain(secret);
    return [...new Set(lines(edge).map(({ status }) => status))].sort();
  }

  it('after success, or a client’s error', async () => {
    await tryEverything();
    expect(expectNoSecret()).toEqual([200, 204, 400, 401, 403, 404, 413]);
  });

  it('after a denial', async () => {
    edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1, empty_after_us: 1 };
    await tryEverything();
    expect(expectNoSecret()).toEqual([429]);
  });

  it.each<[string, readonly ServiceName[], unknown, number]>([
    ['a service fails', ['auth', 'chat', 'oauth2', 'webhook_delivery'], new Error('x'), 500],
    ['a service is unavailable', ['auth', 'chat', 'oauth2', 'webhook_delivery'], unavailable(), 503],
    ['ratelimit fails', ['ratelimit'], new Error('x'), 500],
    ['ratelimit is unavailable', ['ratelimit'], unavailable(), 200],
  ])('when %s', async (_, services, error, status) => {
    const failing = new Proxy({}, { get: () => () => Promise.reject(error) });
    for (const service of services) edge.peers.answers[service] = failing;
    await tryEverything();
    expect(expectNoSecret()).toContain(status);
  });

  it('while a service is down', async () => {
    for (const service of ['auth', 'webhook_delivery'] as const) await edge.peers.stop(service);
    await tryEverything();
    expect(expectNoSecret()).toContain(503);
  });
});

function lines({ log }: Edge): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line));
}
