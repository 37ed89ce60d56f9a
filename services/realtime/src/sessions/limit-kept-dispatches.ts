import { CloseCode } from '../connections/connection.ts';
import type { KeptDispatches } from './kept-dispatches.ts';
import type { SessionRegistry } from './session-registry.ts';

/**
 * Over the memory limit, the sessions with most kept dispatches forget them first; a client that has not received them must
 * identify again. A session that still has to send some of them ends, since its client reads too slowly.
 */
export function limitKeptDispatches(
  registry: Pick<SessionRegistry, 'all' | 'end'>,
  kept: Pick<KeptDispatches, 'bytes'>,
  max_bytes: number,
): void {
  if (kept.bytes() <= max_bytes) return;
  const keeping = [...registry.all()].filter(({ buffer }) => buffer.keptBytes() > 0);
  keeping.sort((one, other) => other.buffer.keptBytes() - one.buffer.keptBytes());
  for (const session of keeping) {
    session.buffer.forgetKept(session.lastSent());
    if (session.buffer.keptBytes() > 0) registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
    if (kept.bytes() <= max_bytes / 2) break;
  }
}
