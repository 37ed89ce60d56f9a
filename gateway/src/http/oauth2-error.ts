import { OAUTH2_ERRORS } from '@gatehouse/proto/errors';
import { type HttpError, httpError } from './http-error.ts';

/** An error response in the form of RFC 6749 §5.2, which clients of OAuth2 parse. Status and headers stay the same. */
export function oauth2Error(thrown: unknown): HttpError {
  const answer = httpError(thrown);
  const {
    error: _,
    code,
    message,
    ...members
  } = JSON.parse(answer.body) as Readonly<{
    error: string;
    code: string;
    message: string;
  }>;
  const error = nameOf(code, answer.status);
  const error_description = asDescription(message);
  return { ...answer, body: JSON.stringify({ error, error_description, code, message, ...members }) };
}

/** The name that RFC 6749 has: §5.2 for OAuth2's own errors, §4.1.2.1 for those of the server. */
function nameOf(code: string, status: number): string {
  if (code === 'INVALID_CLIENT_SECRET') return 'invalid_client';
  if (code in OAUTH2_ERRORS) return code.toLowerCase();
  if (status === 429 || status === 503 || status === 504) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** RFC 6749 §5.2 allows only printable ASCII without `"` and `\` in a description. */
function asDescription(message: string): string {
  return message.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/gu, '?');
}
