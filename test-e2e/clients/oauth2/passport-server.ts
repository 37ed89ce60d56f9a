import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import session from 'express-session';
import { Passport, type Strategy } from 'passport';
import { expect } from 'vitest';

/** An application that signs people in with passport. */
export interface PassportServer {
  readonly login: string;
  readonly callback: string;
  use(strategy: Strategy): void;
  /** A client with its own cookies that follows no redirects. */
  browser(): Browser;
  close(): Promise<void>;
}

export interface Browser {
  /** A page that redirects. */
  get(url: string): Promise<{ location: string }>;
  /** Passport's result for a callback. */
  result(callback: URL): Promise<Result>;
}

/** The arguments of passport's authenticate callback. */
interface Result {
  readonly error: { readonly name: string; readonly code?: string } | null;
  readonly user: object | false | null;
  readonly info: object | null;
  readonly status: number | null;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export async function servePassport(): Promise<PassportServer> {
  const passport = new Passport();
  // Its types require Express; at run time it only needs node:http.
  const sessions = session({
    secret: 'a secret of this test',
    resave: false,
    saveUninitialized: false,
  }) as unknown as Middleware;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Methods that Express would add.
    Object.assign(request, { query: Object.fromEntries(searchParams) });
    const report = (error: Result['error'], user = null, info = null, status = null) =>
      response.end(JSON.stringify({ error, user, info, status }));
    const authenticate: Middleware = passport.authenticate('oauth2', { session: false }, report);
    sessions(request, response, () => authenticate(request, response, () => response.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const url = `http://127.0.0.1:${port}`;
  return {
    login: `${url}/login`,
    callback: `${url}/callback`,
    use: (strategy) => passport.use(strategy),
    browser: () => newBrowser(url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newBrowser(home: string): Browser {
  let cookie: string | undefined;
  const get = async (url: string): Promise<Response> => {
    const isHome = url.startsWith(`${home}/`);
    const headers = isHome && cookie !== undefined ? { cookie } : {};
    const response = await fetch(url, { headers, redirect: 'manual' });
    if (isHome) cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
  return {
    get: async (url) => {
      const response = await get(url);
      expect(response.status, await response.text()).toBe(302);
      return { location: response.headers.get('location') ?? '' };
    },
    result: async (callback) => {
      expect(callback.href).toMatch(`${home}/callback?`);
      const result: Result = JSON.parse(await (await get(callback.href)).text());
      return result;
    },
  };
}
