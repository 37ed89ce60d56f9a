import { Fault, Status } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { type Edge, useEdge } from './support/edge.ts';
import type { SendOptions } from './support/http.ts';
import { BOT, SESSION } from './support/peers.ts';
import { raw, request, wire } from './support/wire.ts';

const headers = { authorization: `Bearer ${SESSION}` };

describe('the access log', () => {
  const edge = useEdge();

  it.each<[string, string, SendOptions, number]>([
    ['GET /guilds/11', '/guilds/{guild_id}', { headers }, 200],
    ['HEAD /guilds/11', '/guilds/{guild_id}', { headers }, 200],
    ['POST /webhooks/41/tok?wait=1', '/webhooks/{webhook_id}/{token}', {}, 204],
    ['GET /users/@me', '/users/@me', {}, 401],
    ['GET /guilds/0x1', '/guilds/{guild_id}', { headers }, 400],
    ['POST /no/such/route', '(unmatched)', {}, 404],
  ])('has one line for %s, by the pattern %s', async (line, route, options, status) => {
    const answer = await edge.send(line, options);
    expect(edge.log).toHaveLength(1);
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
    });
  });

  it('has a denial as an ordinary line', async () => {
    edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1, empty_after_us: 1 };
    await edge.send('POST /guilds');
    expect(lines(edge)).toMatchObject([{ level: 30, status: 429 }]);
  });

  it('has an unexpected failure as an error, with its cause', async () => {
    edge.peers.answers.chat = {
      getGuild: () => {
        throw new Error('the database is on fire');
      },
    };
    await edge.send('GET /guilds/11', { headers });
    expect(lines(edge)).toMatchObject([{ level: 50, route: '/guilds/{guild_id}', status: 500, err: {} }]);
  });

  it('has a client that went away as an ordinary line', async () => {
    const connection = await wire(edge);
    connection.write(request('POST /webhooks/41/tok', ['Content-Length: 10']));
    await expect.poll(() => edge.peers.asked.length).toBe(1);
    connection.destroy();
    await expect.poll(() => edge.log.length).toBe(1);
    expect(lines(edge)).toMatchObject([{ level: 30, route: '/webhooks/{webhook_id}/{token}', status: 499 }]);
  });
});

describe('no log line at any level', () => {
  const edge = useEdge({ config: { log_level: 'trace' } });
  const SECRETS = [SESSION, BOT, 's3cret', 'S3CRET'];

  /** Every way out of the edge, each with secrets wherever a client may put one. */
  const secret = (verb: string, path: string) => `${verb} ${path}?access_token=s3cret&wait=s3cret`;
  const body = { email: 's3cret@example.com', password: 's3cret', token: 's3cret', name: 's3cret' };

  it('holds a credential, whatever becomes of the request', async () => {
    const credentials = [headers.authorization, `Bot ${BOT}`, 'Bearer gth_s3cret', 'garbage s3cret', 'Basic s3cret', ''];
    const targets = [
      secret('POST', '/auth/login'),
      secret('POST', '/auth/register'),
      secret('POST', '/webhooks/41/s3cret'),
      secret('POST', '/webhooks/0x1/s3cret'),
      secret('POST', '/webhooks/s3cret/s3cret/codehost'),
      secret('GET', '/webhooks/41/s3cret'),
      secret('GET', '/webhooks/41/s3cret%zz'),
      secret('GET', '/s3cret/s3cret'),
      secret('DELETE', '/webhooks/41/s3cret'),
      secret('GET', '/users/@me'),
      secret('GET', '/oauth2/applications/@me'),
      secret('POST', '/guilds'),
      secret('GET', '//s3cret'),
      secret('OPTIONS', '/webhooks/41/s3cret'),
    ];
    const extra = { cookie: 's3cret', 'x-codehost-delivery': 's3cret', 'user-agent': 's3cret' };
    const failure = (error: unknown) => () => {
      throw error;
    };
    const outcomes: (() => void)[] = [
      () => undefined,
      () => {
        edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1, empty_after_us: 1 };
      },
      ...[new Error('x'), new Fault({ status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE', message: 'x' })].map(
        (error) => () => {
          const fails = failure(error);
          edge.peers.answers = {
            auth: { login: fails, register: fails, getCurrentUser: fails },
            chat: { createGuild: fails },
            webhook_delivery: { executeWebhook: fails, getTokenWebhook: fails, executeCodehost: fails },
          };
        },
      ),
      () => {
        edge.peers.answers.ratelimit = { check: failure(new Error('x')) };
      },
      () => {
        edge.peers.answers.auth = { identify: failure(new Error('x')) };
      },
    ];
    for (const outcome of outcomes) {
      edge.peers.reset();
      outcome();
      for (const line of targets) {
        for (const authorization of credentials) {
          for (const sent of [body, '{"s3cret', 'x'.repeat(70_000)]) {
            await edge.send(line, { headers: { ...extra, authorization }, ...(line.startsWith('POST') ? { body: sent } : {}) });
          }
        }
      }
    }
    for (const broken of [
      'GET /s3cret HTTP/9.9\r\n\r\n',
      'GET /api/v1/webhooks/41/s3cret HTTP/1.1\r\nAuthorization: s3cret\r\nBad Header: s3cret\r\n\r\n',
      `GET /api/v1/webhooks/41/${'s3cret'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
    ])
      await raw(edge, broken);
    for (const dead of ['auth', 'webhook_delivery'] as const) await edge.peers.stop(dead);
    await edge.send('GET /webhooks/41/s3cret', { headers });
    await edge.send('GET /webhooks/41/s3cret');
    for (const dead of ['auth', 'webhook_delivery'] as const) await edge.peers.restart(dead);

    expect(new Set(lines(edge).map(({ status }) => status))).toEqual(new Set([200, 204, 400, 401, 403, 404, 413, 429, 500, 503]));
    for (const line of edge.log) for (const one of SECRETS) expect(line).not.toContain(one);
  });
});

function lines({ log }: Edge): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line));
}
