import { unauthorized } from '@gatehouse/kit/fault';
import type { SignInCookie } from '@gatehouse/proto/auth';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { Connections } from '../connections.ts';
import { fault } from '../http/http-error.ts';
import type { BrowserCookie } from '../http/sign-in-cookie.ts';
import type { RequestContext } from '../request-context.ts';
import type { Answer, Route } from '../route.ts';

const IDENTIFY_TIMEOUT_MS = 2_000;

/** Replaces the caller by that of the sign-in cookie. */
export type CookieIdentifier = (context: RequestContext, caller: Caller) => Promise<Caller>;

/**
 * Makes the step that finds the caller of a navigation by the sign-in cookie; undefined for all other routes. An
 * Authorization header, even a dead one, decides alone. The step comes after the limits: the cookie is no identity of
 * theirs.
 */
export function cookieIdentifier(
  { cookie: use }: Route,
  { auth }: Connections,
  cookie: BrowserCookie,
): CookieIdentifier | undefined {
  if (use !== 'identifies') return undefined;
  return async ({ request, requestId, credential }, caller) => {
    const secret = credential === undefined ? cookie.read(request.raw) : undefined;
    if (secret === undefined) return caller;
    const options = { timeoutMs: IDENTIFY_TIMEOUT_MS, requestId };
    const { identity } = await auth.client.identifyBrowserSession({ secret }, options);
    return identity == null ? caller : { ...caller, ...identity, kind: CallerKind.CALLER_KIND_SESSION };
  };
}

/**
 * Checks that the request may use the cookie. A page of another origin never changes it, and only a page of the web app
 * resumes by it. A request without `Origin` comes from no page.
 *
 * @throws FORBIDDEN; UNAUTHORIZED where the cookie is the credential
 */
export function authorizeCookie(route: Route, { request }: RequestContext, cookie: BrowserCookie): void {
  const isFromWebApp = cookie.isFromWebApp(request);
  switch (route.cookie) {
    case undefined:
    case 'identifies':
      return;
    case 'resumes':
      if (!isFromWebApp || cookie.read(request.raw) === undefined) throw unauthorized();
      return;
    case 'sets':
    case 'clears':
      if (request.headers.origin !== undefined && !isFromWebApp)
        throw fault('FORBIDDEN', {
          message: 'Only pages of the web app may set or clear the sign-in cookie.',
        });
  }
}

/** Makes the step that adds Set-Cookie to an answer; undefined for routes that leave the cookie as it is. */
export function cookieSetter(
  { cookie: use }: Route,
  cookie: BrowserCookie,
): ((answer: Answer, response: Record<string, unknown>) => Answer) | undefined {
  if (use === undefined || use === 'identifies') return undefined;
  return (answer, response) => {
    const changed = response.cookie as SignInCookie | null | undefined;
    if (use !== 'clears' && changed == null) return answer;
    const value = changed == null ? cookie.cleared : cookie.set(changed);
    return { ...answer, headers: { ...answer.headers, 'set-cookie': value } };
  };
}
