import { lastSent } from './forget-texts.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';

const EVERY_MS = 1_000;
/** How long a session may be resumed after its connection has ended. */
export const RESUMABLE_MS = 60_000;
/**
 * For so long what a session was told stays known: its client may have had nothing since its connection began to hang,
 * which is noticed after 1.5 intervals of heartbeats, and has a minute from then on.
 */
const MARK_EVERY_MS = 15_000;
const MARKS = 9;

/**
 * Ends sessions that were not resumed in time, and forgets positions that nobody can ask for.
 *
 * @param resumed the sessions of which a Resume is under way: it came in time
 * @param forgetMore called each second, for what is forgotten earlier
 * @returns how to stop it
 */
export function sweep(
  registry: Registry,
  resumed: () => ReadonlySet<string>,
  forgetMore: () => void,
): () => void {
  let marked_ms = performance.now();
  const timer = setInterval(() => {
    const now_ms = performance.now();
    const coming = resumed();
    for (const session of [...registry.all()])
      if (isOver(session, now_ms) && !coming.has(session.id)) registry.end(session);
    forgetMore();
    if (now_ms - marked_ms < MARK_EVERY_MS) return;
    marked_ms = now_ms;
    for (const session of registry.all()) {
      session.marks.push(session.positions.last());
      if (session.marks.length > MARKS) session.positions.forget(forgettable(session));
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function isOver({ connection, disconnectedAt_ms }: Session, now_ms: number): boolean {
  return connection === undefined && now_ms - disconnectedAt_ms > RESUMABLE_MS;
}

/** What a client that is slow to read is still to be sent is kept. */
function forgettable(session: Session): number {
  return Math.min(session.marks.shift() ?? 0, lastSent(session));
}
