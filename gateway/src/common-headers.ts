import type { FastifyReply, FastifyRequest } from 'fastify';
import { EXPOSED_HEADERS } from './exposed-headers.ts';

/**
 * On every answer, whoever makes it: any origin may call, without credentials of the browser's own, and
 * nothing is for a cache.
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

/** 204 to every OPTIONS. A preflight may send what headers it likes: they are judged with the request. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  reply.code(204).headers(PREFLIGHT_HEADERS).send();
}
