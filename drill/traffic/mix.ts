import {
  ACCOUNTS,
  accessTokenOf,
  CLIENT,
  emailOf,
  idOf,
  PASSWORD,
  sessionOf,
  sharedChannelOf,
  webhookPath,
} from './population.ts';

/** A request of a kind, with the status that it should get. */
export interface DrillRequest {
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expected: number;
}

interface Kind {
  readonly kind: string;
  /** Requests of this kind in a hundred. */
  readonly share: number;
  /** A request of the nth account, or for its webhook or token. */
  make(n: number, picture: string): Partial<DrillRequest> & Pick<DrillRequest, 'path'>;
}

const API = '/api/v1';
const bearer = (n: number) => ({ authorization: `Bearer ${sessionOf(n)}` });
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const CONTENT = JSON.stringify({ content: 'all is well' });

const KINDS: readonly Kind[] = [
  {
    kind: 'read own account',
    share: 20,
    make: (n) => ({ path: `${API}/users/@me`, headers: bearer(n) }),
  },
  {
    kind: 'read channels',
    share: 17,
    make: (n) => ({ path: `${API}/guilds/${idOf(n)}/channels`, headers: bearer(n) }),
  },
  {
    kind: 'read messages',
    share: 15,
    make: (n) => ({ path: `${API}/channels/${idOf(n)}/messages`, headers: bearer(n) }),
  },
  {
    kind: 'post a message',
    share: 20,
    make: (n) => ({
      method: 'POST',
      path: `${API}/channels/${sharedChannelOf(n)}/messages`,
      headers: { ...bearer(n), ...json },
      body: CONTENT,
    }),
  },
  {
    kind: 'execute a webhook',
    share: 18,
    make: (n) => ({
      method: 'POST',
      path: `${API}${webhookPath(n)}?wait=true`,
      headers: json,
      body: CONTENT,
    }),
  },
  {
    kind: 'introspect a token',
    share: 6,
    make: (n) => ({
      method: 'POST',
      path: `${API}/oauth2/introspect`,
      headers: form,
      body: new URLSearchParams({ ...CLIENT, token: accessTokenOf(n) }).toString(),
    }),
  },
  { kind: 'read a picture', share: 3, make: (_, picture) => ({ path: picture }) },
  {
    kind: 'log in',
    share: 1,
    make: (n) => ({
      method: 'POST',
      path: `${API}/auth/login`,
      headers: json,
      body: JSON.stringify({ email: emailOf(n), password: PASSWORD }),
    }),
  },
];

/** An endless sequence of requests. Within each kind the accounts take turns. */
export function* mix(picture: string): Generator<DrillRequest, never> {
  const deck = KINDS.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  const made = new Map<Kind, number>();
  for (let sent = 0; ; sent++) {
    // 37 shares no factor with the deck's length: every hundred requests have the whole deck, well shuffled.
    const kind = deck[(sent * 37) % deck.length] as Kind;
    const nth = made.get(kind) ?? 0;
    made.set(kind, nth + 1);
    const from = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
    const { headers, ...request } = kind.make(nth % ACCOUNTS, picture);
    yield {
      kind: kind.kind,
      method: 'GET',
      body: '',
      expected: 200,
      ...request,
      headers: { ...headers, 'x-forwarded-for': from },
    };
  }
}
