import { describe, expect, it } from 'vitest';
import { route } from '../../src/route.ts';
import { auth, chat } from '../../src/service-definitions.ts';
import { startEdge } from '../support/edge.ts';
import { charged, SESSION } from '../support/peers.ts';

/**
 * The compiler is the test here: `tsc` refuses an unused @ts-expect-error, so none of these routes compiles. They are
 * never called; at run time they would be made.
 */
export const REFUSED = [
  () =>
    // @ts-expect-error: the service has no such RPC.
    route('GET /x', chat.getGild, { access: 'user', buckets: [] }),
  () =>
    // @ts-expect-error: the RPC is another service's.
    route('GET /x', auth.getGuild, { access: 'user', buckets: [] }),
  () =>
    // @ts-expect-error: the path's parameter is no field of the request.
    route('GET /guilds/{id}', chat.getGuild, { access: 'user', buckets: [] }),
  () =>
    // @ts-expect-error: one of the path's parameters is no field of the request.
    route('GET /channels/{channel_id}/messages/{id}', chat.getMessage, { access: 'user', buckets: [] }),
  () =>
    // @ts-expect-error: no such verb.
    route('FETCH /guilds/{guild_id}', chat.getGuild, { access: 'user', buckets: [] }),
  () =>
    // @ts-expect-error: a path begins with a slash.
    route('GET guilds/{guild_id}', chat.getGuild, { access: 'user', buckets: [] }),
  // @ts-expect-error: the bucket is not in the reference.
  () => route('GET /guilds/{guild_id}', chat.getGuild, { access: 'user', buckets: ['guild:reed'] }),
  // @ts-expect-error: nor is this one, with a choice of key.
  () => route('GET /guilds/{guild_id}', chat.getGuild, { access: 'user', buckets: [['guild:reed', 'ip']] }),
  // @ts-expect-error: no such choice of key.
  () => route('GET /x', auth.getCurrentUser, { access: 'user', buckets: [['oauth:introspect', 'moon']] }),
  // @ts-expect-error: the bucket's key has alternatives, and the route does not choose.
  () => route('GET /x', auth.getCurrentUser, { access: 'user', buckets: ['oauth:introspect'] }),
  // @ts-expect-error: the bucket's key leaves no choice.
  () => route('GET /x', auth.getCurrentUser, { access: 'user', buckets: [['auth:login', 'account']] }),
  // @ts-expect-error: no such kind of caller.
  () => route('GET /guilds/{guild_id}', chat.getGuild, { access: 'admin', buckets: [] }),
  // @ts-expect-error: a route needs `access`.
  () => route('GET /guilds/{guild_id}', chat.getGuild, { buckets: [] }),
  // @ts-expect-error: a route needs `buckets`.
  () => route('GET /guilds/{guild_id}', chat.getGuild, { access: 'user' }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the query parameter is no field of the request.
      query: ['with_counts'],
    }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the header fills no field of the request.
      headers: { 'x-reason': 'reason' },
    }),
  () =>
    route('POST /guilds', chat.createGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the bytes fill no field of the request.
      body: { bytes: 'body' },
    }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the answer is no field of the response.
      answer: 'gild',
    }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the response has no such field to answer with.
      reply: ({ gild }) => ({ status: 200, body: String(gild) }),
    }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      // @ts-expect-error: no scope opens an operation like this.
      scope: 'email',
      buckets: [],
    }),
  () =>
    route('PATCH /users/@me', auth.updateCurrentUser, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: no member of the request adds buckets under that name.
      member_buckets: { passphrase: ['auth:sudo_pwd'] },
    }),
  () =>
    route('PATCH /users/@me', auth.updateCurrentUser, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the bucket that the member adds is not in the reference.
      member_buckets: { password: ['auth:sudo_password'] },
    }),
  () =>
    route('PATCH /users/@me', auth.updateCurrentUser, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: the account has no such member to compare with.
      changed_members: ['new_password'],
    }),
  () =>
    route('GET /guilds/{guild_id}', chat.getGuild, {
      access: 'user',
      buckets: [],
      // @ts-expect-error: no such status of success.
      status: 201,
    }),
];

const ROUTE = route('POST /twice/{channel_id}/{message_id}', chat.getMessage, {
  access: 'user_or_bot',
  buckets: ['channel:message:read', ['oauth:introspect', 'account']],
  reply: ({ message }) => ({ status: 202, content_type: 'text/plain', body: message?.id ?? '-' }),
});

describe('a route that compiles', () => {
  it('defines the edge’s behaviour', async () => {
    const edge = await startEdge({ routes: [ROUTE] });
    try {
      const answer = await edge.send('POST /twice/21/31', { headers: { authorization: SESSION } });
      expect([answer.status, answer.text]).toEqual([202, '31']);
      expect(edge.peers.calls.at(-1)?.request).toEqual({ channel_id: '21', message_id: '31' });
      expect(charged(edge.peers)).toEqual([
        ['global credential:1:9001'],
        ['channel:message:read account:1001 channel:21', 'oauth:introspect account:1001'],
      ]);
      expect((await edge.send('GET /users/@me')).status, 'another route of the table').toBe(404);
    } finally {
      await edge.close();
    }
  });
});
