import type { PollIpAuthorizationResponse } from '@gatehouse/proto/auth';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../shared/api/api.ts';
import type { Session } from '../shared/api/session.ts';
import { hasTicketEnded } from './steps.ts';

const EVERY_MS = 3_000;
/** The ticket's own time. */
const AT_MOST_MS = 15 * 60_000;

interface Outcomes {
  readonly released: (session: Session) => void;
  readonly ended: () => void;
}

/**
 * Asks whether a held login was released, while somebody sees the page, until it has ended. A question that is under
 * way when the page goes away is dropped: its session could not be kept.
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

/** The session, or that there will be none, or how long to wait. An unreachable server is asked again. */
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
