import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import {
  ACCOUNTS,
  CROWDED_CHANNEL,
  channelId,
  GUILDS,
  homeOf,
  JOINERS,
  LONG_CHANNEL,
  LONG_MESSAGES,
  MANY_GUILDS,
  messageId,
  nthToken,
  SHORT_CHANNEL,
} from './population.ts';

/** A case, and the case that it is compared with: by rate, or by median latency. */
export interface ChatCase extends LoadCase {
  readonly compared_with?: string;
}

const BODY = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/** Rate limits are on. The requests rotate through so many accounts that none reaches a limit. */
export function chatCases(bare: string, url: string): ChatCase[] {
  const at = (connections: number) => ({ url, connections, expected: 200 });
  const fastify = {
    what: 'a bare Fastify route',
    url: bare,
    requests: [{ method: 'GET', path: '/' }] as const,
  };
  const guilds = () => get('/users/@me/guilds');
  const newest = (channel: number) => ofAccounts(() => get(`/channels/${channel}/messages`));
  return [
    { name: 'bare 32', ...at(32), ...fastify },
    {
      name: 'POST message 32',
      what: `in ${GUILDS} guilds`,
      ...at(32),
      requests: ofAccounts((n) => post(channelId(homeOf(n), n))),
      compared_with: 'bare 32',
    },
    {
      name: 'POST message, one channel 32',
      what: 'all in one guild',
      ...at(32),
      requests: ofAccounts(() => post(CROWDED_CHANNEL)),
      compared_with: 'POST message 32',
    },
    { name: 'bare 8', ...at(8), ...fastify },
    {
      name: 'GET /users/@me 8',
      what: 'a session, and nothing else',
      ...at(8),
      requests: ofAccounts(() => get('/users/@me')),
      compared_with: 'bare 8',
    },
    {
      name: 'GET /users/@me/guilds 8',
      what: `of ${MANY_GUILDS}, with @everyone alone`,
      ...at(8),
      requests: ofAccounts(guilds, 0, JOINERS),
      compared_with: 'GET /users/@me 8',
    },
    {
      name: 'GET /users/@me/guilds, roles 8',
      what: `of ${MANY_GUILDS}, with ten roles more`,
      ...at(8),
      requests: ofAccounts(guilds, JOINERS, 2 * JOINERS),
      compared_with: 'GET /users/@me 8',
    },
    {
      name: '50 of a million 8',
      what: 'the newest messages of a channel',
      ...at(8),
      requests: newest(LONG_CHANNEL),
      compared_with: 'GET /users/@me 8',
    },
    {
      name: '50 of a hundred 8',
      what: 'the newest messages of a channel',
      ...at(8),
      requests: newest(SHORT_CHANNEL),
      compared_with: '50 of a million 8',
    },
    {
      name: '50 anywhere in a million 8',
      what: 'those before a message',
      ...at(8),
      requests: ofAccounts((n) => {
        const before = messageId(100 + ((n * 7919) % (LONG_MESSAGES - 100)));
        return get(`/channels/${LONG_CHANNEL}/messages?before=${before}`);
      }),
      compared_with: '50 of a million 8',
    },
  ];
}

function ofAccounts(request: (n: number) => LoadRequest, from = 0, to = ACCOUNTS): LoadRequest[] {
  return Array.from({ length: to - from }, (_, index) => {
    const n = from + index;
    const { path, headers, ...rest } = request(n);
    return {
      ...rest,
      path: `/api/v1${path}`,
      headers: { ...headers, authorization: `Bearer ${nthToken(n)}` },
    };
  });
}

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

function post(channel: number): LoadRequest {
  return {
    method: 'POST',
    path: `/channels/${channel}/messages`,
    headers: { 'content-type': 'application/json' },
    body: BODY,
  };
}
