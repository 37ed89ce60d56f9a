import type { HttpCall } from './http-call.ts';

const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** They consume a ticket or issue a code, so a repetition whose first answer was lost gets another one. */
const WITH_EFFECTS = new Set(['GET /auth/ip-authorization/poll', 'GET /oauth2/authorize']);

/** Whether the request may be sent again although the server may have executed it. */
export function isRepeatable({ method, operation }: HttpCall): boolean {
  return IDEMPOTENT.has(method) && !WITH_EFFECTS.has(operation);
}
