import type { Session } from './session.ts';
import type { SessionRegistry } from './session-registry.ts';

const SWEEP_EVERY_MS = 1_000;
/** How long a session may be resumed after its connection has ended. */
export const RESUMABLE_MS = 60_000;
/**
 * Together, the time for which events stay buffered. A client may have received nothing since its connection began to hang.
 * The hang ends the connection after 1.5 Heartbeat intervals, and then the client has a minute to resume.
 */
const MARK_EVERY_MS = 15_000;
const MAX_MARKS = 9;

/**
 * Ends sessions that were not resumed in time, and forgets buffered events that no client can ask for.
 *
 * @param resuming IDs of sessions with a pending Resume, which do not expire
 * @param onSweep called each second
 * @returns stops the sweep
 */
export function sweep(
  registry: SessionRegistry,
  resuming: () => ReadonlySet<string>,
  onSweep: () => void,
): () => void {
  let marked_ms = performance.now();
  const timer = setInterval(() => {
    const now_ms = performance.now();
    const resumingIds = resuming();
    for (const session of [...registry.all()])
      if (isExpired(session, now_ms) && !resumingIds.has(session.id)) registry.end(session);
    onSweep();
    if (now_ms - marked_ms < MARK_EVERY_MS) return;
    marked_ms = now_ms;
    for (const session of registry.all()) mark(session);
  }, SWEEP_EVERY_MS);
  return () => clearInterval(timer);
}

function isExpired({ connection, disconnectedAt_ms }: Session, now_ms: number): boolean {
  return connection === undefined && now_ms - disconnectedAt_ms > RESUMABLE_MS;
}

/** Forgets events up to the oldest mark, except those that a slow client was not sent yet. */
function mark(session: Session): void {
  session.marks.push(session.buffer.last());
  if (session.marks.length > MAX_MARKS)
    session.buffer.forget(Math.min(session.marks.shift() ?? 0, session.lastSent()));
}
