import { setImmediate } from 'node:timers/promises';
import type { Session as SessionView } from '@gatehouse/proto/auth';
import type { Session } from '../store/sessions.ts';
import { openClientInfo } from './client-info.ts';
import { maskIp } from './mask-ip.ts';
import { sessionIdHash } from './session-id-hash.ts';

/** Reading a User-Agent takes some 20 us: after so many of them it is others' turn. */
const A_TURN = 50;

/** Sessions as their account sees them (docs/credentials.md#sessions), in the same order. */
export async function sessionViews(sessions: readonly Session[], current_id: string): Promise<SessionView[]> {
  const clientInfo = await openClientInfo();
  const views: SessionView[] = [];
  for (const { id, ip, user_agent, last_used_at } of sessions) {
    views.push({
      id_hash: sessionIdHash(id),
      client_info: clientInfo(user_agent),
      masked_ip: maskIp(ip),
      approx_last_used_at: last_used_at.toISOString(),
      current: id === current_id,
    });
    if (views.length % A_TURN === 0) await setImmediate();
  }
  return views;
}
