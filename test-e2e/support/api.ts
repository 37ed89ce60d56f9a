import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { undocumented } from '../openapi/undocumented.ts';
import { expectResponseRules } from './response-rules.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON. The caller names the shape, and its test asserts it. */
  json<T>(): T;
}

export interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  /** Check the response against the rules for every response. Default: true. */
  checked?: boolean;
}

export interface Api {
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  /** A client with this Authorization header. */
  as(authorization: string): Api;
  /** A client at this address (X-Forwarded-For). The stack must trust the loopback as a proxy. */
  from(ip: string): Api;
}

/**
 * A client of the API under `{url}/api/v1`. Strings and bytes are sent unchanged, other bodies as JSON. Every
 * response is checked against the rules for all responses, and against the statuses and codes of openapi.json.
 */
export function apiOf(url: string, standing: Record<string, string> = {}): Api {
  const send = async (
    method: string,
    path: string,
    { body, headers = {}, checked = true }: Sent = {},
  ): Promise<Reply> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...standing, ...(isJson(body) ? { 'content-type': 'application/json' } : {}), ...headers },
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: isJson(body) ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
    });
    const text = await response.text();
    const reply: Reply = {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
    if (checked) {
      expectResponseRules(reply, `${method} ${path}`);
      expect(undocumented(method, path, reply), `${method} ${path}: ${text}`).toBeUndefined();
    }
    return reply;
  };
  return {
    url,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    as: (authorization) => apiOf(url, { ...standing, authorization }),
    from: (ip) => apiOf(url, { ...standing, 'x-forwarded-for': ip }),
  };
}

/** A client that repeats requests which the global limit denies. For tests with many requests about something else. */
export function withGlobalRetry(api: Api): Api {
  const send: Api['send'] = async (method, path, sent) => {
    for (;;) {
      const reply = await api.send(method, path, sent);
      if (reply.headers.get('x-ratelimit-scope') !== 'global') return reply;
      await delay(reply.json<{ retry_after: number }>().retry_after * 1000);
    }
  };
  return {
    url: api.url,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    as: (authorization) => withGlobalRetry(api.as(authorization)),
    from: (ip) => withGlobalRetry(api.from(ip)),
  };
}

function isJson(body: unknown): boolean {
  return !(
    body === undefined ||
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof FormData
  );
}
