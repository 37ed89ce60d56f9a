import type { Sendable } from '../src/docs/send/sendable.ts';
import type { Operation } from './openapi.ts';
import { typeText } from './schema-type.ts';

/** A GET that is not harmless: a poll uses up its ticket, and the authorization answers with a redirect. */
const NOT_HARMLESS: ReadonlySet<string> = new Set(['pollIpAuthorization', 'authorize']);

/** Undefined unless the operation only reads, and a session or nobody may call it. */
export function sendableOf(operation: Operation): Sendable | undefined {
  const { method, path, operationId, parameters = [], 'x-credentials': credentials } = operation;
  const takes_session = credentials.includes('session');
  if (method !== 'GET' || NOT_HARMLESS.has(operationId)) return undefined;
  if (!takes_session && !credentials.includes('none')) return undefined;
  return {
    path,
    takes_session,
    parameters: parameters.flatMap((one) =>
      one.in === 'header'
        ? []
        : [{ name: one.name, in: one.in, is_required: one.required === true, type: typeText(one.schema) }],
    ),
  };
}
