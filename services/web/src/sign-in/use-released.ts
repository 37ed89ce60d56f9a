import type { PollIpAuthorizationResponse } from '@gatehouse/proto/auth';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../shared/api/api.ts';
import type { Session } from '../shared/api/session.ts';
import { hasTicketEnded } from './steps.ts';

const EVERY_MS = 3_000;
/** The lifetime of the ticket. */
const AT_MOST_MS = 15 * 60_000;

interface Outcomes {
  readonly released: (session: Session) => void;
  readonly ended: () => void;
}

/**
 * Polls whether a held login was released, while the page is visible, until the login ends. An answer that arrives
 * after the page is left is dropped, because its session could not be kept.
 */
export function useReleased(ticket: string, { released, ended }: Outcomes): void {
  useEffect(() => {
    const until_ms = Date.now() + AT_MOST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isOver = false;

    const over = (act: () => void) => {
      isOver = true;
      act();
    };
    const ask = async () => {
      if (isOver || isAsking || document.visibilityState === 'hidden') return;
      clearTimeout(timer);
      if (Date.now() > until_ms) return over(ended);
      isAsking = true;
      const answer = await poll(ticket);
      isAsking = false;
      if (isOver) return;
      if (answer === 'ended') return over(ended);
      if (typeof answer === 'object') return over(() => released(answer));
      timer = setTimeout(ask, answer);
    };

    document.addEventListener('visibilitychange', ask);
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [ticket]);
}

/**
 * The session, the end of the login, or the time until the next poll. If the server is unreachable, polling goes on.
 */
async function poll(ticket: string): Promise<Session | 'ended' | number> {
  try {
    const query = new URLSearchParams({ ticket });
    const path = `/auth/ip-authorization/poll?${query}`;
    const { token, user_id } = await call<PollIpAuthorizationResponse>('GET', path);
    return token && user_id ? { token, user_id } : EVERY_MS;
  } catch (error) {
    if (hasTicketEnded(error)) return 'ended';
    const { retry_after } = error instanceof ApiError ? error.body : {};
    return Math.max(EVERY_MS, (Number(retry_after) || 0) * 1000);
  }
}
