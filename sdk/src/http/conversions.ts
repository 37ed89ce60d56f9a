import { UnexpectedResponseError } from '../errors/gatehouse-error.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';

export type PathParameters = Readonly<Record<string, unknown>>;

/** The IDs that name a bucket beside the caller, the closest first: buckets of a guild's member are the guild's. */
const KEYS = ['guild_id', 'channel_id', 'webhook_id', 'application_id', 'code', 'user_id'];

/** A request of openapi-fetch as a call that can be sent more than once. */
export async function toCall(request: Request, path: string, params: PathParameters): Promise<HttpCall> {
  const { method, url, headers } = request;
  const body = method === 'GET' ? undefined : await request.arrayBuffer();
  const key = KEYS.find((name) => params[name] !== undefined);
  return {
    method,
    url,
    headers,
    body: body?.byteLength === 0 ? undefined : body,
    operation: `${method} ${path}`,
    bucketKey: key === undefined ? '' : String(params[key]),
  };
}

/** With an empty one, or with `.` and `..`, which URLs resolve, the path would be another. @throws TypeError */
export function assertPathParameters(path: string, params: PathParameters): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (['', '.', '..'].includes(String(params[name] ?? '')))
      throw new TypeError(`${name} is ${JSON.stringify(params[name])}`);
}

/** A complete answer as the response that openapi-fetch reads. @throws UnexpectedResponseError */
export function toResponse(call: HttpCall, answer: HttpAnswer, parseAs: string | undefined): Response {
  const { status, headers, bytes } = answer;
  // Every GET of the API has a body.
  const hasBody = bytes.length > 0 || call.method === 'GET';
  if (hasBody && (parseAs === undefined || parseAs === 'json')) assertJson(call, answer);
  // A response of status 204 must not even have an empty body.
  return new Response(bytes.length === 0 ? null : bytes, {
    status,
    headers: withLength(headers, bytes.length),
  });
}

/** The length of the body as it is now: the sent one may be that of the compressed bytes. */
function withLength(headers: Headers, length: number): Headers {
  const copy = new Headers(headers);
  copy.delete('content-encoding');
  copy.set('content-length', String(length));
  return copy;
}

function assertJson({ operation }: HttpCall, { status, headers, bytes }: HttpAnswer): void {
  const type = headers.get('content-type') ?? 'no content type';
  const unexpected = (problem: string) => new UnexpectedResponseError(operation, status, headers, problem);
  if (!/^application\/(?:[a-z.-]+\+)?json\b/i.test(type))
    throw unexpected(`the answer is ${type}, not JSON: check baseUrl, or pass parseAs: 'text'`);
  try {
    JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw unexpected('the answer is no valid JSON');
  }
}
