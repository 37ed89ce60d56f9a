import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { nthPair, PAIRS } from './population.ts';

/** A case, and the same case at oidc-provider for comparison. */
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

/** Every case twice in a row: at Gatehouse and at oidc-provider. */
export function oauthCases(ours: string, oidcProvider: string): (readonly [OauthCase, OauthCase])[] {
  const gatehouse: OauthServer = {
    url: ours,
    introspect: '/api/v1/oauth2/introspect',
    token: '/api/v1/oauth2/token',
  };
  const peer: OauthServer = { url: oidcProvider, introspect: '/token/introspection', token: '/token' };
  // Shared by all cases of a server, so that no pair is used twice: a refresh consumes its token.
  const next = { ours: unusedPairs(), theirs: unusedPairs() };
  return [64, 8].flatMap((connections) => [
    twoOf(
      { name: `introspection ${connections}`, what: 'any of the access tokens', connections },
      [gatehouse, () => introspections(gatehouse.introspect)],
      [peer, () => introspections(peer.introspect)],
    ),
    twoOf(
      { name: `refresh ${connections}`, what: 'any of the refresh tokens, then its successors', connections },
      [gatehouse, () => refreshes(gatehouse.token, next.ours)],
      [peer, () => refreshes(peer.token, next.theirs)],
    ),
  ]);
}

type Side = readonly [server: OauthServer, requests: () => readonly LoadRequest[]];

function twoOf(
  one: Pick<LoadCase, 'name' | 'what' | 'connections'>,
  [ours, ourRequests]: Side,
  [theirs, theirRequests]: Side,
): readonly [OauthCase, OauthCase] {
  const compared_with = `${one.name}, oidc-provider`;
  return [
    { ...one, url: ours.url, requests: ourRequests, expected: 200, compared_with },
    { ...one, name: compared_with, url: theirs.url, requests: theirRequests, expected: 200, compared_with },
  ];
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
