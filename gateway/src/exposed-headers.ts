/** What a script of another origin may read of an answer (docs/conventions.md#cors). */
export const EXPOSED_HEADERS = [
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
