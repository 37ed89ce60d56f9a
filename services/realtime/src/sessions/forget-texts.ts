import type { KeptTexts } from './kept-texts.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';

/**
 * Where too much is kept as it was sent, sessions forget what they were sent, those first that keep most: a client that did
 * not get it identifies anew.
 *
 * @returns false if what is left is still too much: it is yet to be sent
 */
export function forgetTexts(registry: Pick<Registry, 'all'>, texts: KeptTexts, max_bytes: number): boolean {
  if (texts.bytes() <= max_bytes) return true;
  const keeping = [...registry.all()].filter(({ positions }) => positions.textBytes() > 0);
  keeping.sort((one, other) => other.positions.textBytes() - one.positions.textBytes());
  for (const session of keeping) {
    session.positions.forgetTexts(lastSent(session));
    if (texts.bytes() <= max_bytes / 2) break;
  }
  return texts.bytes() <= max_bytes;
}

/** The last `s` that need not be sent any more, unless its client resumes. */
export function lastSent({ connection, is_live, positions, sent }: Session): number {
  return connection === undefined || is_live ? positions.last() : sent;
}
