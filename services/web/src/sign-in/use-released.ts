import type { PollIpAuthorizationResponse } from '@gatehouse/proto/auth';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../shared/api/api.ts';
import type { Session } from '../shared/api/session.ts';
import { hasTicketEnded } from './steps.ts';

const POLL_EVERY_MS = 3_000;
const TICKET_LIFETIME_MS = 15 * 60_000;

interface Outcomes {
  readonly released: (session: Session) => void;
  readonly ended: () => void;
}

/**
 * Polls until a held login is released or ends, while the page is visible. Drops a response that arrives after the
 * component is unmounted.
 */
export function useReleased(ticket: string, { released, ended }: Outcomes): void {
  useEffect(() => {
    const until_ms = Date.now() + TICKET_LIFETIME_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isClosed = false;

    const finish = (act: () => void) => {
      isClosed = true;
      act();
    };
    const ask = async () => {
      if (isClosed || isAsking || document.visibilityState === 'hidden') return;
      clearTimeout(timer);
      if (Date.now() > until_ms) return finish(ended);
      isAsking = true;
      const outcome = await poll(ticket);
      isAsking = false;
      if (isClosed) return;
      if (outcome === 'ended') return finish(ended);
      if (typeof outcome === 'object') return finish(() => released(outcome));
      timer = setTimeout(ask, outcome);
    };

    document.addEventListener('visibilitychange', ask);
    void ask();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [ticket]);
}

/** Returns the session, 'ended', or the milliseconds until the next poll. An unreachable server does not end polling. */
async function poll(ticket: string): Promise<Session | 'ended' | number> {
  try {
    const query = new URLSearchParams({ ticket });
    const path = `/auth/ip-authorization/poll?${query}`;
    const { token, user_id } = await call<PollIpAuthorizationResponse>('GET', path);
    return token && user_id ? { token, user_id } : POLL_EVERY_MS;
  } catch (error) {
    if (hasTicketEnded(error)) return 'ended';
    const { retry_after } = error instanceof ApiError ? error.body : {};
    return Math.max(POLL_EVERY_MS, (Number(retry_after) || 0) * 1000);
  }
}
