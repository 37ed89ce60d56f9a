import type { Session } from './session.ts';

/** A READY counts as read when this much or less of it waits. */
const READ_BYTES = 256 * 1024;
const CHECK_READ_EVERY_MS = 10;
/** A client that takes longer does not delay others: its bytes then count only against the limit of waiting bytes. */
const READ_WITHIN_MS = 1_000;

/** Releases a READY's budget once the client has read most of it. Call the returned function to begin waiting. */
export function releaseOnceRead(session: Session, release: () => void): () => void {
  const deadline_ms = performance.now() + READ_WITHIN_MS;
  const check = (): void => {
    const { connection, sent } = session;
    const waits = connection !== undefined && (sent === 0 || connection.waitingBytes() > READ_BYTES);
    if (waits && performance.now() < deadline_ms) setTimeout(check, CHECK_READ_EVERY_MS).unref();
    else release();
  };
  return () => setImmediate(check);
}
