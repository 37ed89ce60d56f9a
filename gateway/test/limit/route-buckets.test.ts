import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { useEdge } from '../support/edge.ts';
import { charged, SESSION } from '../support/peers.ts';

const SPECIFICATION = new URL('../../../../shared/spec/3-rate-limits.md', import.meta.url);

const IP = 'ip:127.0.0.1';
const ACCOUNT = 'account:1001';
const CLIENT = 'credential:1:9001';

/**
 * Every route: what specification 3 calls it, whether a session's request counts against the global
 * bucket, and what it is charged when each parameter of its path is 7 and its body names ann@example.com.
 */
const EXPECTED: readonly [line: string, operation: string, global: boolean, own: string[]][] = [
  [
    'POST /auth/register',
    'register',
    true,
    [
      `auth:register ${IP}`,
      'registration:email ann@example.com',
      `registration:ip ${IP}`,
      'registration:subnet subnet:127.0.0.0/24',
    ],
  ],
  [
    'POST /auth/login',
    'log in',
    true,
    [`auth:login ${IP}`, 'auth:login:email ann@example.com', `login:ip ${IP}`],
  ],
  ['POST /auth/logout', 'log out', true, [`auth:logout ${CLIENT}`]],
  ['GET /users/@me', 'get current user', true, [`user:settings:get ${ACCOUNT}`]],
  ['POST /oauth2/applications', 'create application', true, [`oauth_dev:clients:create ${ACCOUNT}`]],
  ['GET /oauth2/applications/@me', 'list own applications', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  [
    'GET /oauth2/applications/{application_id}',
    'get application',
    true,
    [`oauth_dev:clients:list ${ACCOUNT}`],
  ],
  ['POST /guilds', 'create guild', true, [`guild:create ${ACCOUNT}`]],
  ['GET /guilds/{guild_id}', 'get guild', true, [`guild:read ${ACCOUNT} guild:7`]],
  [
    'GET /guilds/{guild_id}/channels',
    'list guild channels',
    true,
    [`guild:channels:list ${ACCOUNT} guild:7`],
  ],
  ['GET /channels/{channel_id}', 'get channel', true, [`channel:read ${ACCOUNT} channel:7`]],
  [
    'POST /channels/{channel_id}/messages',
    'create message',
    true,
    [`channel:message:create ${ACCOUNT} channel:7`],
  ],
  [
    'GET /channels/{channel_id}/messages',
    'list messages',
    true,
    [`channel:messages:read ${ACCOUNT} channel:7`],
  ],
  [
    'GET /channels/{channel_id}/messages/{message_id}',
    'get message',
    true,
    [`channel:message:read ${ACCOUNT} channel:7`],
  ],
  ['POST /channels/{channel_id}/webhooks', 'create webhook', true, ['webhook:create channel:7']],
  [
    'GET /webhooks/{webhook_id}/{token}',
    'get webhook, with or without token',
    true,
    ['webhook:read webhook:7'],
  ],
  ['POST /webhooks/{webhook_id}/{token}', 'execute', false, ['webhook:execute webhook:7']],
  [
    'POST /webhooks/{webhook_id}/{token}/chatcompat',
    'execute chat-tool-compatible',
    false,
    ['webhook:execute webhook:7'],
  ],
  [
    'POST /webhooks/{webhook_id}/{token}/codehost',
    'execute code-host-compatible',
    false,
    ['webhook:codehost webhook:7'],
  ],
  [
    'GET /webhooks/{webhook_id}/{token}/messages/{message_id}',
    'get webhook message',
    false,
    ['webhook:message_get webhook:7'],
  ],
];

describe('the buckets of each route', () => {
  const edge = useEdge();

  it('are known for every route of the table', () => {
    const lines = ROUTES.map(({ verb, path }) => `${verb} ${path}`);
    expect(EXPECTED.map(([line]) => line).sort()).toEqual(lines.sort());
  });

  it.each(EXPECTED)('%s', async (line, _, global, own) => {
    await edge.send(line.replaceAll(/\{\w+\}/g, '7'), {
      headers: { authorization: `Bearer ${SESSION}` },
      ...(line.startsWith('POST') ? { body: { email: ' Ann@example.com' } } : {}),
    });
    const [first, ...rest] = charged(edge.peers);
    expect(global ? first : undefined).toEqual(global ? [`global ${CLIENT}`] : undefined);
    const sets = global ? rest : [first ?? []];
    expect(sets.map((set) => [...set].sort())).toEqual([[...own].sort()]);
  });

  it.skipIf(!existsSync(SPECIFICATION)).each(EXPECTED)(
    '%s are those of specification 3',
    (_line, operation, _global, own) => {
      const specified = rowsOf(readFileSync(SPECIFICATION, 'utf8'))
        .filter(({ operations }) => operations.includes(operation))
        .map(({ bucket }) => bucket);
      expect(own.map((charge) => charge.split(' ')[0]).sort()).toEqual(specified.sort());
    },
  );
});

/** The rows of the tables of the bucket reference: bucket, limit, key, operations. */
function rowsOf(specification: string): { bucket: string; operations: string[] }[] {
  const rows = specification.matchAll(/^\| (\S+) \| \d+ \/ [^|]+ \| [^|]+ \| ([^|]+) \|$/gm);
  return [...rows].map(([, bucket = '', operations = '']) => ({
    bucket,
    operations: operations.split(';').map((one) => one.trim()),
  }));
}
