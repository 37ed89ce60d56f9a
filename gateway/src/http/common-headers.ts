import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers that scripts of other origins may read (docs/conventions.md#cors). */
const EXPOSED_HEADERS = [
  'Retry-After',
  'X-RateLimit-Scope',
  'X-RateLimit-Global',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Reset-After',
  'X-RateLimit-Bucket',
  'X-Request-Id',
];

/**
 * On every answer: scripts of any origin may call, without the browser's own credentials, and no cache may keep it.
 */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
} as const;

export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
}

/** Maximum length of the reflected header names: more than any script needs. */
const MAX_REFLECTED = 1_024;
/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** 204 to every OPTIONS. It allows the headers that the preflight names: the request itself is checked later. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requested = request.headers['access-control-request-headers'];
  if (requested !== undefined) reply.header('access-control-allow-headers', headerNames(requested));
  reply.code(204).headers(PREFLIGHT_HEADERS).send();
}

/** The names in a list, as many as fit. */
function headerNames(list: string): string {
  let names = '';
  for (const member of list.split(',', MAX_REFLECTED)) {
    const name = member.trim();
    if (!TOKEN.test(name)) continue;
    const more = names === '' ? name : `${names}, ${name}`;
    if (more.length > MAX_REFLECTED) break;
    names = more;
  }
  return names;
}
