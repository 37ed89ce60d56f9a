import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Session as SessionView } from '@gatehouse/proto/auth';
import type { Session } from '../store/sessions/sessions.ts';
import { loadUserAgentParser } from './client-info.ts';
import { maskIp } from './network.ts';

/** Parsing a User-Agent takes about 20 µs. After this many, the event loop runs other work. */
const YIELD_EVERY = 50;

/** Sessions as shown to their account (docs/credentials.md#sessions), in the same order. */
export async function sessionViews(sessions: readonly Session[], current_id: string): Promise<SessionView[]> {
  const clientInfo = await loadUserAgentParser();
  const views: SessionView[] = [];
  for (const { id, ip, user_agent, last_used_at } of sessions) {
    views.push({
      id_hash: sessionIdHash(id),
      client_info: clientInfo(user_agent),
      masked_ip: maskIp(ip),
      approx_last_used_at: last_used_at.toISOString(),
      current: id === current_id,
    });
    if (views.length % YIELD_EVERY === 0) await setImmediate();
  }
  return views;
}

/** The ID of a session in its account's list: base64url of a SHA-256. `endNamedSessions` computes the same in SQL. */
function sessionIdHash(session_id: string): string {
  return hash('sha256', `session:${session_id}`, 'base64url');
}

export function isSessionIdHash(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
