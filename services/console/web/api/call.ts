import { ApiError } from '@gatehouse/web/shared/api/api-error.ts';
import { ServiceAway } from '@gatehouse/web/shared/api/service-away.ts';
import { signal } from '@preact/signals';

export { ApiError } from '@gatehouse/web/shared/api/api-error.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const TIMEOUT_MS = 20_000;

/** The answer 401 of these says that a password, a passkey or a link is wrong. */
const SIGN_IN = '/sign-in/';

/** Counts the answers that say that nobody is signed in. */
export const refusals = signal(0);

/**
 * Calls the console's API with the session's cookie. A response without a body is `undefined`.
 *
 * @throws ApiError
 */
export async function call<T = undefined>(verb: Verb, path: string, body?: object): Promise<T> {
  const response = await send(path, {
    method: verb,
    headers: {
      // A form of another site cannot send this header.
      ...(verb !== 'GET' && { 'x-gatehouse-console': '1' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text().catch(() => {
    throw new ApiError(0, {}); // the response was cut off
  });
  const answer = parse(text);
  if (response.ok && text !== '' && answer === undefined) throw new ApiError(0, {}); // a response of a proxy
  if (response.ok) return answer as T;
  if (response.status === 401 && !path.startsWith(SIGN_IN)) refusals.value += 1;
  throw errorOf(response.status, (answer ?? {}) as Record<string, unknown>);
}

function errorOf(status: number, body: Record<string, unknown>): ApiError {
  const namesService = status === 503 && typeof body.message === 'string';
  return namesService ? new ServiceAway(status, body) : new ApiError(status, body);
}

/** A path of the API with a query; parameters without a value are left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(`/api${path}`, { ...init, signal, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw new ApiError(0, {});
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined; // a proxy's error page
  }
}
