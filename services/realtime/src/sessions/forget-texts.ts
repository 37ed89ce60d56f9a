import { CloseCode } from '../connections/connection.ts';
import type { KeptTexts } from './kept-texts.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';

/**
 * Where too much is kept as it was sent, those sessions that keep most go first: they forget what they were sent, and a
 * client that did not get it identifies anew. One that is still to be sent some is over, as its client reads too slowly.
 */
export function forgetTexts(
  registry: Pick<Registry, 'all' | 'end'>,
  texts: KeptTexts,
  max_bytes: number,
): void {
  if (texts.bytes() <= max_bytes) return;
  const keeping = [...registry.all()].filter(({ positions }) => positions.textBytes() > 0);
  keeping.sort((one, other) => other.positions.textBytes() - one.positions.textBytes());
  for (const session of keeping) {
    session.positions.forgetTexts(lastSent(session));
    if (session.positions.textBytes() > 0) registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
    if (texts.bytes() <= max_bytes / 2) break;
  }
}

/** The last `s` that need not be sent any more, unless its client resumes. */
export function lastSent({ connection, is_live, positions, sent }: Session): number {
  return connection === undefined || is_live ? positions.last() : sent;
}
