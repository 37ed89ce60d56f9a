import { hash } from 'node:crypto';

/**
 * What a session is named by where its account sees it: base64url of SHA-256. The store computes the same
 * (`endNamedSessions`).
 */
export function sessionIdHash(session_id: string): string {
  return hash('sha256', `session:${session_id}`, 'base64url');
}

export function isSessionIdHash(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
