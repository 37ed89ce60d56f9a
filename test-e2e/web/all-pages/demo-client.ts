import { setTimeout as delay } from 'node:timers/promises';

/** Calls the API of a stack. Unlike support/api.ts it runs outside of tests too. */
export interface DemoClient {
  /** @throws Error with the answer, unless it is a success */
  call<T = undefined>(method: string, path: string, body?: object): Promise<T>;
  /** The same client with a session. */
  as(token: string): DemoClient;
}

const MAX_WAITS = 20;

/** `from` is the client's address, for a stack that trusts the loopback as a proxy. */
export function demoClient(url: string, from: string, token?: string): DemoClient {
  async function call<T>(method: string, path: string, body?: object, waits = 0): Promise<T> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.status === 429 && waits < MAX_WAITS) {
      await delay(1_000 * Number(response.headers.get('retry-after') ?? 1));
      return call(method, path, body, waits + 1);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return (isJson ? JSON.parse(text) : undefined) as T; // the caller names the shape
  }
  return { call, as: (other) => demoClient(url, from, other) };
}
