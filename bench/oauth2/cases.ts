import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { nthPair, PAIRS } from './population.ts';

/** A case at one server, and the name of the same case at oidc-provider. */
export interface OauthCase extends LoadCase {
  readonly compared_with: string;
}

interface OauthServer {
  readonly url: string;
  readonly introspect: string;
  readonly token: string;
}

/** Requests in a turn. Each connection sends its share once before it repeats any. */
const INTROSPECTIONS = 4_096;
const REFRESHES = 1_024;
/** Shares no factor with PAIRS, so steps of this width visit every pair once. */
const STRIDE = 382_003;

/** A stack under test. */
export interface OauthStack {
  /** How its services are divided among processes. */
  readonly name: string;
  readonly url: string;
}

/** The cases of one load: at each stack, then at oidc-provider. */
export type ComparedCases = readonly [stacks: readonly OauthCase[], peer: OauthCase];

/** Introspections and refreshes, with many and with few connections. The stacks share a database. */
export function oauthCases(stacks: readonly OauthStack[], oidcProvider: string): ComparedCases[] {
  const ours = { introspect: '/api/v1/oauth2/introspect', token: '/api/v1/oauth2/token' };
  const peer: OauthServer = { url: oidcProvider, introspect: '/token/introspection', token: '/token' };
  // Shared by all cases on a database, so that no pair is used twice: a refresh consumes its token.
  const next = { ours: unusedPairs(), theirs: unusedPairs() };
  const compared = (
    { name, ...load }: Pick<LoadCase, 'name' | 'what' | 'connections'>,
    requestsOf: (server: OauthServer, unused: () => number) => readonly LoadRequest[],
  ): ComparedCases => {
    const compared_with = `${name}, oidc-provider`;
    const caseOf = (at: string, server: OauthServer, unused: () => number): OauthCase => ({
      ...load,
      name: `${name}, ${at}`,
      url: server.url,
      requests: () => requestsOf(server, unused),
      expected: 200,
      compared_with,
    });
    return [
      stacks.map((stack) => caseOf(stack.name, { ...ours, url: stack.url }, next.ours)),
      caseOf('oidc-provider', peer, next.theirs),
    ];
  };
  return [64, 8].flatMap((connections) => [
    compared(
      { name: `introspection ${connections}`, what: 'any of the access tokens', connections },
      (server) => introspections(server.introspect),
    ),
    compared(
      { name: `refresh ${connections}`, what: 'any of the refresh tokens, then its successors', connections },
      (server, unused) => refreshes(server.token, unused),
    ),
  ]);
}

function introspections(path: string): LoadRequest[] {
  return Array.from({ length: INTROSPECTIONS }, () => {
    const { client_id, client_secret, access_token } = nthPair(Math.floor(Math.random() * PAIRS));
    return post(path, { client_id, client_secret, token: access_token, token_type_hint: 'access_token' });
  });
}

function refreshes(path: string, unused: () => number): LoadRequest[] {
  return Array.from({ length: REFRESHES }, () => {
    const { client_id, client_secret, refresh_token } = nthPair(unused());
    return {
      ...post(path, { client_id, client_secret, grant_type: 'refresh_token', refresh_token }),
      successor: { member: 'refresh_token', replaces: refresh_token },
    };
  });
}

/** Each from another address, since the limits allow an address 120 a minute. */
function post(path: string, form: Readonly<Record<string, string>>): LoadRequest {
  const part = (): number => Math.floor(Math.random() * 256);
  return {
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.${part()}.${part()}.${part()}`,
    },
    body: String(new URLSearchParams(form)),
  };
}

/** Spreads the pairs over the whole population. */
function unusedPairs(): () => number {
  let used = 0;
  return () => {
    if (used === PAIRS) throw new Error('all refresh tokens are spent: fewer rounds, or fewer seconds');
    return (used++ * STRIDE) % PAIRS;
  };
}
