import { describeRow } from '@gatehouse/cli/commands/routes/describe-row';
import type { Route } from '@gatehouse/gateway/route';
import { ROUTES } from '@gatehouse/gateway/routes';
import { useEdge } from '@gatehouse/gateway/testing/edge';
import { expectSame } from '@gatehouse/gateway/testing/expect-same';
import type { Answer } from '@gatehouse/gateway/testing/http';
import { ACCESS_TOKEN, BOT, SESSION, WITHOUT_SCOPES } from '@gatehouse/gateway/testing/peers';
import { describe, expect, it } from 'vitest';
import { exampleRequest } from './example-request.ts';

/** RPCs open to bots (docs/credentials.md#bots), besides public ones. */
const OPEN_TO_BOTS = [
  'GET /users/@me',
  'GET /users/{user_id}',
  'POST /guilds',
  'GET /guilds/{guild_id}',
  'GET /guilds/{guild_id}/channels',
  'GET /channels/{channel_id}',
  'POST /channels/{channel_id}/messages',
  'GET /channels/{channel_id}/messages',
  'GET /channels/{channel_id}/messages/{message_id}',
  'PATCH /channels/{channel_id}/messages/{message_id}',
  'DELETE /channels/{channel_id}/messages/{message_id}',
  'DELETE /channels/{channel_id}',
  'DELETE /users/@me/guilds/{guild_id}',
  'GET /users/@me/channels',
  'POST /users/@me/channels',
  'PUT /channels/{channel_id}/recipients/{user_id}',
  'DELETE /channels/{channel_id}/recipients/{user_id}',
  'POST /channels/{channel_id}/webhooks',
  'GET /guilds/{guild_id}/bots',
  'GET /guilds/{guild_id}/members',
  'GET /guilds/{guild_id}/members/{user_id}',
  'PATCH /guilds/{guild_id}/members/@me',
  'PATCH /guilds/{guild_id}/members/{user_id}',
  'DELETE /guilds/{guild_id}/members/{user_id}',
  'PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}',
  'DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}',
  'GET /channels/{channel_id}/invites',
  'POST /channels/{channel_id}/invites',
  'PATCH /guilds/{guild_id}',
  'DELETE /guilds/{guild_id}',
  'GET /users/@me/guilds',
  'GET /guilds/{guild_id}/roles',
  'POST /guilds/{guild_id}/roles',
  'PATCH /guilds/{guild_id}/roles',
  'PATCH /guilds/{guild_id}/roles/{role_id}',
  'DELETE /guilds/{guild_id}/roles/{role_id}',
  'POST /guilds/{guild_id}/channels',
  'PATCH /guilds/{guild_id}/channels',
  'PATCH /channels/{channel_id}',
  'PUT /channels/{channel_id}/permissions/{overwrite_id}',
  'DELETE /channels/{channel_id}/permissions/{overwrite_id}',
  'GET /channels/{channel_id}/slowmode',
  'GET /guilds/{guild_id}/audit-logs',
  'GET /guilds/{guild_id}/webhooks',
  'GET /channels/{channel_id}/webhooks',
  'GET /webhooks/{webhook_id}',
  'PATCH /webhooks/{webhook_id}',
  'DELETE /webhooks/{webhook_id}',
  'GET /webhooks/{webhook_id}/deliveries',
  'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  'POST /webhooks/{webhook_id}/test',
  'POST /webhooks/preview',
  'GET /guilds/{guild_id}/webhook-settings',
  'PATCH /guilds/{guild_id}/webhook-settings',
];
const FOR_BOTS_ALONE = ['GET /gateway/bot', 'GET /applications/@me'];
/** It reads no Authorization header. */
const FOR_THE_COOKIE_ALONE = 'POST /auth/browser-session/resume';
/** RPCs open to access tokens, and their scopes (docs/credentials.md#access-tokens). */
const SCOPES: Readonly<Record<string, string>> = {
  'GET /users/@me': 'identify',
  'GET /users/@me/guilds': 'guilds',
  'GET /guilds/{guild_id}': 'guilds',
  'GET /guilds/{guild_id}/roles': 'guilds',
  'GET /users/@me/connections': 'connections',
};
/** Public RPCs: with a credential in the path, before a session exists, or with their own check of access tokens. */
const PUBLIC = [
  /^POST \/auth\/(register|login|forgot|reset|verify|authorize-ip)$/,
  /^POST \/auth\/login\/mfa\//,
  /^POST \/auth\/webauthn\//,
  /^GET \/auth\/reset\/\{token\}$/,
  /^\w+ \/auth\/ip-authorization\/(resend|poll)$/,
  /^\w+ \/webhooks\/\{webhook_id\}\/\{token\}/,
  /^GET \/oauth2\/(userinfo|@me)$/,
  /^POST \/oauth2\/(token|introspect|token\/revoke)$/,
  /^GET \/invites\/\{code\}$/,
  /^GET \/oauth2\/(authorize|applications\/\{application_id\}\/name)$/,
  /^GET \/gateway$/,
  /^DELETE \/auth\/browser-session$/,
];

type Outcome = 'passes' | 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'MISSING_OAUTH_SCOPE';
interface Outcomes {
  readonly anonymous: Outcome;
  readonly session: Outcome;
  readonly bot: Outcome;
  readonly accessToken: Outcome;
  readonly withoutScopes: Outcome;
}

/** The outcomes of docs/credentials.md#authorization-outcomes. */
function expected(line: string): Outcomes {
  const all = (outcome: Outcome) => ({
    anonymous: outcome,
    session: outcome,
    bot: outcome,
    accessToken: outcome,
    withoutScopes: outcome,
  });
  if (PUBLIC.some((pattern) => pattern.test(line))) return all('passes');
  if (line === FOR_THE_COOKIE_ALONE) return all('UNAUTHORIZED');
  if (FOR_BOTS_ALONE.includes(line)) return { ...all('UNAUTHORIZED'), bot: 'passes' };
  const scoped = line in SCOPES;
  return {
    anonymous: 'UNAUTHORIZED',
    session: 'passes',
    bot: OPEN_TO_BOTS.includes(line) ? 'passes' : 'ACCESS_DENIED',
    accessToken: scoped ? 'passes' : 'ACCESS_DENIED',
    withoutScopes: scoped ? 'MISSING_OAUTH_SCOPE' : 'ACCESS_DENIED',
  };
}

type Credential = readonly [name: string, header: string, outcome: keyof Outcomes];

const MALFORMED: readonly Credential[] = [
  ['a broken header', 'Bearer  x', 'anonymous'],
  ['an empty header', '', 'anonymous'],
];

const CREDENTIALS: readonly Credential[] = [
  ['a session', `Bearer ${SESSION}`, 'session'],
  ['a session, bare', SESSION, 'session'],
  ['a bot', `Bot ${BOT}`, 'bot'],
  ['an access token with every scope', `Bearer ${ACCESS_TOKEN}`, 'accessToken'],
  ['an access token without scopes', `Bearer ${WITHOUT_SCOPES}`, 'withoutScopes'],
  ...MALFORMED,
  ['an unknown session', `Bearer gth_${'A'.repeat(36)}`, 'anonymous'],
  ['an unknown bot', 'Bot 2001.other', 'anonymous'],
  ['an unknown access token', `Bearer ${'A'.repeat(43)}`, 'anonymous'],
  ['a bot without its scheme', BOT, 'anonymous'],
  ['an access token without its scheme', ACCESS_TOKEN, 'anonymous'],
  ['an access token as a bot', `Bot ${ACCESS_TOKEN}`, 'anonymous'],
  ['a session as a bot', `Bot ${SESSION}`, 'anonymous'],
  ['a bot as a session', `Bearer ${BOT}`, 'anonymous'],
  ["a webhook's token", 'Bearer a-webhook-token', 'anonymous'],
];

const edge = useEdge();

describe.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))('%s', (line, row) => {
  function send(header: string | undefined): Promise<Answer> {
    const { verb, target, headers, body } = exampleOf(row);
    const authorization = header === undefined ? {} : { authorization: header };
    return edge.send(`${verb} ${target}`, {
      headers: { ...headers, ...authorization },
      ...(body === undefined ? {} : { body }),
    });
  }

  it('answers every kind of credential as specified, after one look-up', async () => {
    const outcomes = expected(line);
    // A route that passes the header to its service expects other headers too, such as HTTP Basic.
    const withoutLookUp = row.headers.authorization === undefined ? [] : MALFORMED;
    const none = await send(undefined);
    expectOutcome(none, outcomes.anonymous, 'no credential');
    expect(lookUps()).toBe(0);
    for (const credential of CREDENTIALS) {
      const [name, header, kind] = credential;
      edge.peers.reset();
      const answer = await send(header);
      expectOutcome(answer, outcomes[kind], name);
      if (kind === 'anonymous') expectSame(answer, none);
      expect(lookUps(), name).toBe(withoutLookUp.includes(credential) ? 0 : 1);
    }
  });

  function expectOutcome(answer: Answer, outcome: Outcome, name: string): void {
    if (outcome === 'passes') {
      expect(describeRow(row).status, `${name}: ${answer.text}`).toContain(answer.status);
      expect(edge.peers.calls.at(-1)?.rpc).toBe(row.rpc);
      return;
    }
    const { code, required_scope } = answer.json();
    expect([name, answer.status, code]).toEqual([name, outcome === 'UNAUTHORIZED' ? 401 : 403, outcome]);
    expect(required_scope).toBe(outcome === 'MISSING_OAUTH_SCOPE' ? SCOPES[line] : undefined);
    // Without a credential a GET is exempt from the global bucket, so one without other buckets calls nobody.
    expect(['check', undefined], `${name}: the service is not asked`).toContain(edge.peers.calls.at(-1)?.rpc);
  }

  function lookUps(): number {
    return edge.peers.calls.filter(({ rpc }) => rpc === 'identify').length;
  }
});

/** The request without its credential. */
function exampleOf(row: Route) {
  const { headers, ...example } = exampleRequest(row, { session: '', bot: '', webhook: 'tok', mail: 'tok' });
  const { Authorization: _, Cookie: _cookie, ...others } = headers;
  return { ...example, headers: others };
}
