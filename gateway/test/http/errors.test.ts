import { STATUS_CODES } from 'node:http';
import { Fault, invalidForm, Status, unavailable } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { startEdge, steps, useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';

const headers = { authorization: `Bearer ${SESSION}` };
const GET_GUILD = 'GET /guilds/11';

describe('an error of a service', () => {
  const edge = useEdge();
  const fails = (error: unknown) => {
    edge.peers.answers.chat = {
      getGuild: () => {
        throw error;
      },
    };
    return edge.send(GET_GUILD, { headers });
  };

  it.each([
    ['INVALID_ARGUMENT', 400],
    ['FAILED_PRECONDITION', 400],
    ['OUT_OF_RANGE', 400],
    ['UNAUTHENTICATED', 401],
    ['PERMISSION_DENIED', 403],
    ['NOT_FOUND', 404],
    ['ALREADY_EXISTS', 409],
    ['ABORTED', 409],
    ['RESOURCE_EXHAUSTED', 429],
    ['CANCELLED', 499],
    ['UNIMPLEMENTED', 501],
    ['UNAVAILABLE', 503],
    ['DEADLINE_EXCEEDED', 504],
  ] as const)('%s is %i, with its reason phrase and the service’s text', async (name, status) => {
    const message = 'Text for people – é.';
    const answer = await fails(new Fault({ status: Status[name], reason: 'NEW_CODE', message }));
    expect(answer.status).toBe(status);
    const error = `${status} ${STATUS_CODES[status] ?? 'Client Closed Request'}`;
    expect(answer.json()).toEqual({ error, code: 'NEW_CODE', message });
  });

  it.each([
    ['SLOWMODE_RATE_LIMITED', 400],
    ['REQUEST_TIMEOUT', 408],
    ['PAYLOAD_TOO_LARGE', 413],
    ['UNSUPPORTED_MEDIA_TYPE', 415],
    ['UPGRADE_REQUIRED', 426],
    ['REQUEST_HEADER_FIELDS_TOO_LARGE', 431],
    ['INTERNAL_SERVER_ERROR', 500],
  ])('%s is %i, whatever its gRPC status', async (reason, status) => {
    const answer = await fails(new Fault({ status: Status.RESOURCE_EXHAUSTED, reason, message: 'm' }));
    expect([answer.status, answer.json()]).toMatchObject([status, { code: reason, message: 'm' }]);
  });

  it('has its code’s members at the top level', async () => {
    const members = {
      has_mfa: true,
      methods: { password: false, totp: true, webauthn: false },
      ticket: null,
      n: 1.5,
    };
    const answer = await fails(
      new Fault({ status: Status.PERMISSION_DENIED, reason: 'SUDO_MODE_REQUIRED', message: 'm', members }),
    );
    expect(answer.json()).toEqual({
      error: '403 Forbidden',
      code: 'SUDO_MODE_REQUIRED',
      message: 'm',
      ...members,
    });
  });

  it('names each violation of a form', async () => {
    const errors = [
      { path: 'embeds.0.title', code: 'STRING_LENGTH_INVALID', message: 'Too long.' },
      { path: 'root', code: 'INVALID_FORMAT', message: 'Nein – é.' },
    ];
    const answer = await fails(invalidForm(errors));
    expect(answer.json()).toEqual({
      error: '400 Bad Request',
      code: 'INVALID_FORM_BODY',
      message: 'Invalid form body.',
      errors,
    });
  });

  it.each([
    [0.001, '1'],
    [1, '1'],
    [1.001, '2'],
    [21_600, '21600'],
  ])(
    'of slowmode with %d s left is 400 with Retry-After %s and no other rate-limit header',
    async (wait, seconds) => {
      const members = { retry_after: wait };
      const answer = await fails(
        new Fault({
          status: Status.RESOURCE_EXHAUSTED,
          reason: 'SLOWMODE_RATE_LIMITED',
          message: 'm',
          members,
        }),
      );
      expect(answer.json()).toEqual({
        error: '400 Bad Request',
        code: 'SLOWMODE_RATE_LIMITED',
        message: 'm',
        retry_after: wait,
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([400, seconds]);
    },
  );

  it.each([
    [0.001, '1'],
    [899.001, '900'],
    [900, '900'],
  ])('of a service’s own limit with %s s left is 429 without a bucket', async (wait, seconds) => {
    const members = { global: false, retry_after: wait };
    const { status, ...answer } = await fails(
      new Fault({ status: Status.RESOURCE_EXHAUSTED, reason: 'RATE_LIMITED', message: 'm', members }),
    );
    expect(answer.json()).toEqual({
      error: '429 Too Many Requests',
      code: 'RATE_LIMITED',
      message: 'm',
      ...members,
    });
    const limits = [...answer.headers].filter(([name]) => name.startsWith('x-ratelimit-'));
    expect([status, answer.headers.get('retry-after'), limits]).toEqual([
      429,
      seconds,
      [['x-ratelimit-scope', 'user']],
    ]);
  });

  it.each<[string, () => unknown]>([
    ['no service authored', () => new Error('the password is hunter2')],
    ['is no Error', () => 'hunter2'],
    ['has a reason that is no error code', () => fault('HUNTER2_REASON')],
    ['has a reason that is a property of every object', () => fault('constructor')],
    [
      'is a mistake of one service in a call to another',
      () => fault('UNKNOWN_BUCKET', Status.INVALID_ARGUMENT),
    ],
  ])('that %s is 500 without detail', async (_, error) => {
    const answer = await fails(error());
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual({
      error: '500 Internal Server Error',
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Something went wrong on our side.',
    });
  });

  it.each([
    ['chat', 'getGuild', ['identify', 'check', 'getGuild']],
    ['auth', 'identify', ['identify']],
  ] as const)('about an unavailable %s is 503 with Retry-After: 1', async (service, rpc, order) => {
    const refuse = () => {
      throw unavailable(new Error('hunter2'));
    };
    edge.peers.answers = { [service]: { [rpc]: refuse } };
    const answer = await edge.send(GET_GUILD, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.json()).toMatchObject({ error: '503 Service Unavailable', code: 'SERVICE_UNAVAILABLE' });
    expect(answer.text).not.toContain('hunter2');
    expect(steps(edge)).toEqual(order);
  });

  it.each([
    ['chat', 'getGuild'],
    ['auth', 'identify'],
  ] as const)('is 504 if %s does not answer in time, and cancels its work', async (service, rpc) => {
    let calledOff = 0;
    const stall = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          calledOff++;
          reject(new Error('called off'));
        });
      });
    edge.peers.answers = { [service]: { [rpc]: stall } };
    const answer = await edge.send(GET_GUILD, { headers });
    expect(answer.status).toBe(504);
    expect(answer.json()).toMatchObject({ error: '504 Gateway Timeout', code: 'GATEWAY_TIMEOUT' });
    expect(answer.headers.get('retry-after')).toBeNull();
    await expect.poll(() => calledOff).toBe(1);
  });

  it('of one request does not affect simultaneous ones', async () => {
    edge.peers.answers.chat = {
      getGuild: async ({ guild_id }) => {
        if (Number(guild_id) % 3 === 0) throw new Error('every third');
        return { guild: null };
      },
    };
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, id) => (await edge.send(`GET /guilds/${id}`, { headers })).status),
    );
    expect(statuses).toEqual(statuses.map((_, id) => (id % 3 === 0 ? 500 : 204)));
  });
});

describe('a service that is down', () => {
  it('makes only its routes 503, until it comes back', async () => {
    const edge = await startEdge();
    try {
      await edge.send(GET_GUILD, { headers });
      await edge.peers.stop('chat');
      const down = await edge.send(GET_GUILD, { headers });
      expect([down.status, down.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await edge.send('GET /users/@me', { headers })).status).toBe(200);
      expect((await edge.send('POST /webhooks/41/tok')).status).toBe(204);
      await edge.peers.stop('auth');
      expect((await edge.send('GET /users/@me', { headers })).status).toBe(503);
      expect((await edge.send('POST /webhooks/41/tok')).status, 'which looks up no credential').toBe(204);
      await edge.peers.restart('chat');
      await edge.peers.restart('auth');
      await expect.poll(async () => (await edge.send(GET_GUILD, { headers })).status).toBe(200);
    } finally {
      await edge.close();
    }
  });
});

describe('an error of the edge', () => {
  const edge = useEdge();

  it.each([
    'GET /nothing',
    'POST /guilds/11',
    'PUT /webhooks/41/tok',
    'GET //',
    'GET //api',
    'PURGE /guilds',
  ])('of %s, without a route, is 404 NOT_FOUND', async (line) => {
    const answer = await edge.send(line);
    expect([answer.status, answer.json().code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['POST /guilds', 1024 * 1024],
    ['POST /auth/login', 64 * 1024],
    ['POST /auth/register', 64 * 1024],
    ['POST /channels/21/webhooks', 14.5 * 1024 * 1024],
    ['PATCH /guilds/11/members/@me', 14.5 * 1024 * 1024],
    ['PATCH /guilds/11/members/1001', 1024 * 1024],
    ['PATCH /webhooks/41', 14.5 * 1024 * 1024],
    ['PATCH /webhooks/41/tok', 14.5 * 1024 * 1024],
    ['PATCH /webhooks/41/tok/messages/61', 1024 * 1024],
    ['POST /channels/21/messages', 1024 * 1024],
    ['POST /webhooks/41/tok', 1024 * 1024],
    ['POST /webhooks/41/tok/chatcompat', 1024 * 1024],
    ['POST /webhooks/41/tok/codehost', 25 * 1024 * 1024],
    ['POST /webhooks/41/tok/statuspage', 2 * 1024 * 1024],
  ])('of %s over %i bytes is 413, and of exactly that length it is accepted', async (line, limit) => {
    const over = await edge.send(line, { headers, body: Buffer.alloc(limit + 1, ' ') });
    expect([over.status, over.json().code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await edge.send(line, { headers, body: Buffer.alloc(limit, ' ') })).status).not.toBe(413);
  });
});

function fault(reason: string, status: Status = Status.INTERNAL): Fault {
  return new Fault({ status, reason, message: 'the password is hunter2' });
}
