import type { Session } from './session.ts';
import type { SessionRegistry } from './session-registry.ts';

const EVERY_MS = 1_000;
/** How long a session may be resumed after its connection has ended. */
export const RESUMABLE_MS = 60_000;
/**
 * Events stay buffered for this long: a client may have received nothing since its connection began to hang, which is
 * noticed after 1.5 Heartbeat intervals, and has a minute to resume from then on.
 */
const MARK_EVERY_MS = 15_000;
const MARKS = 9;

/**
 * Ends sessions that were not resumed in time, and forgets buffered events that no client can ask for.
 *
 * @param resuming IDs of sessions with a pending Resume, which came in time
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
    const isResuming = resuming();
    for (const session of [...registry.all()])
      if (isExpired(session, now_ms) && !isResuming.has(session.id)) registry.end(session);
    onSweep();
    if (now_ms - marked_ms < MARK_EVERY_MS) return;
    marked_ms = now_ms;
    for (const session of registry.all()) mark(session);
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function isExpired({ connection, disconnectedAt_ms }: Session, now_ms: number): boolean {
  return connection === undefined && now_ms - disconnectedAt_ms > RESUMABLE_MS;
}

/** Forgets events up to the oldest mark, except those that a slow client has still to be sent. */
function mark(session: Session): void {
  session.marks.push(session.buffer.last());
  if (session.marks.length > MARKS)
    session.buffer.forget(Math.min(session.marks.shift() ?? 0, session.lastSent()));
}
