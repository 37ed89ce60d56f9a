import type { KeptTexts } from './kept-texts.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';

/**
 * Where too many bytes are kept, sessions forget what they were sent, the oldest first: a client that did not get it
 * identifies anew.
 *
 * @returns false if what is left is still too much: it is yet to be sent
 */
export function forgetTexts(registry: Pick<Registry, 'all'>, texts: KeptTexts, max_bytes: number): boolean {
  if (texts.bytes() <= max_bytes) return true;
  for (const session of registry.all()) {
    if (session.positions.textBytes() > 0) session.positions.forget(lastSent(session));
    if (texts.bytes() <= max_bytes / 2) break;
  }
  return texts.bytes() <= max_bytes;
}

/** The last `s` that need not be sent any more, unless its client resumes. */
export function lastSent({ connection, is_live, positions, sent }: Session): number {
  return connection === undefined || is_live ? positions.last() : sent;
}
