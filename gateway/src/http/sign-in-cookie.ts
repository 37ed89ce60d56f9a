import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@gatehouse/kit/net/host-port';
import type { SignInCookie } from '@gatehouse/proto/auth';

/** The sign-in cookie of browsers (docs/credentials.md#sign-in-cookie). */
export interface BrowserCookie {
  /** The secret that a request's cookie holds; undefined without one, with several, and with a malformed one. */
  read(request: Pick<IncomingMessage, 'headers'>): string | undefined;
  /** The value of Set-Cookie that sets it. */
  set(cookie: SignInCookie): string;
  /** The value of Set-Cookie that clears it. */
  readonly cleared: string;
  /** Whether a page of the web app sent the request. */
  isFromWebApp(request: Pick<IncomingMessage, 'headers'>): boolean;
}

/** 32 random bytes in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes the cookie of a web app. Browsers keep a cookie with the prefix `__Host-` only from this host and only over TLS,
 * so no other host of the domain can plant one. Without TLS, at a loopback host, the cookie has a plain name.
 */
export function browserCookie(web_app_url: string): BrowserCookie {
  const url = new URL(web_app_url);
  const { origin, port } = url;
  const isPlain = url.protocol === 'http:' && isLoopbackUrl(url);
  const name = isPlain ? 'gatehouse' : '__Host-gatehouse';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`;
  return {
    read: ({ headers }) => secretOf(name, headers.cookie),
    set: ({ secret, max_age_seconds }) => {
      const maxAge = max_age_seconds == null ? '' : `; Max-Age=${max_age_seconds}`;
      return `${name}=${secret}; ${attributes}${maxAge}`;
    },
    cleared: `${name}=; ${attributes}; Max-Age=0`,
    isFromWebApp: ({ headers }) =>
      headers.origin === origin || (isPlain && headers.origin === sameLoopback(headers.host, port)),
  };
}

/**
 * The origin of a page at another name of this machine, such as `localhost` for 127.0.0.1, if the request goes to the same
 * name. A domain of somebody else that resolves to this machine is none.
 */
function sameLoopback(host: string | undefined, port: string): string | undefined {
  const url = URL.parse(`http://${host}`);
  return url !== null && url.port === port && isLoopbackUrl(url) ? url.origin : undefined;
}

function isLoopbackUrl({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** Two cookies of this name count as none: one of them may be planted by another page of the host. */
function secretOf(name: string, header: string | undefined): string | undefined {
  let secret: string | undefined;
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    if (secret !== undefined || !SECRET.test(value)) return undefined;
    secret = value;
  }
  return secret;
}
