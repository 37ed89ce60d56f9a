import { ApiError } from './api-error.ts';
import { forgetEnded, session } from './session.ts';

export { ApiError } from './api-error.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const TIMEOUT_MS = 20_000;

/**
 * Calls the API with the session, if there is one. A response without a body is `undefined`. A 401 removes the
 * session.
 *
 * @throws ApiError
 */
export function call<T = undefined>(verb: Verb, path: string, body?: object): Promise<T> {
  return callAs<T>(session.value?.token, verb, path, body);
}

/** Calls the API without the session, which may have ended. @throws ApiError */
export function callWithoutSession<T = undefined>(verb: Verb, path: string, body: object): Promise<T> {
  return callAs<T>(undefined, verb, path, body);
}

/** Calls with an access token instead of the session. @throws ApiError */
export function callWithToken<T>(path: string, access_token: string): Promise<T> {
  return callAs<T>(access_token, 'GET', path);
}

/** Sends a form to a route with client authentication, without the session. @throws ApiError */
export async function callWithForm<T>(path: string, form: Readonly<Record<string, string>>): Promise<T> {
  const response = await send(`/api/v1${path}`, { method: 'POST', body: new URLSearchParams(form) });
  return readResponse<T>(response, undefined);
}

/** Gets a part of a file with the session. @throws ApiError */
export async function callForBytes(path: string): Promise<ArrayBuffer> {
  const token = session.value?.token;
  const response = await send(`/api/v1${path}`, {
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  });
  if (!response.ok) return readResponse<ArrayBuffer>(response, token);
  return response.arrayBuffer().catch(() => {
    throw new ApiError(0, {}); // the response was cut off
  });
}

async function callAs<T>(token: string | undefined, verb: Verb, path: string, body?: object): Promise<T> {
  const response = await send(`/api/v1${path}`, {
    method: verb,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return readResponse<T>(response, token);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(path, { ...init, signal, credentials: 'omit', cache: 'no-store' });
  } catch {
    throw new ApiError(0, {});
  }
}

async function readResponse<T>(response: Response, token: string | undefined): Promise<T> {
  const text = await response.text().catch(() => {
    throw new ApiError(0, {}); // the response was cut off
  });
  const body: unknown = text === '' ? undefined : parse(text);
  if (response.ok && text !== '' && body === undefined) throw new ApiError(0, {}); // a response of a proxy
  if (response.ok) return body as T;
  if (response.status === 401 && token !== undefined && token === session.value?.token) forgetEnded();
  throw new ApiError(response.status, (body ?? {}) as Record<string, unknown>);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's error page
  }
}
