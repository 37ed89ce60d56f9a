/** From so many parsed bytes of a head on, the rest waits for its turn. */
export const LONG_HEAD_BYTES = 4 * 1024;
/** So many go on in one turn of the event loop, a slice each. */
const AT_ONCE = 8;

interface Parsed {
  resume(): void;
}

/**
 * Has long heads parsed a few at a time. Thousands that came at once would otherwise be parsed in one turn of the event
 * loop, and all short requests would wait for them at each of their steps.
 */
export interface HeadTurns {
  /** Whether the next slice of this connection's head may be parsed now. If not, it is resumed later. */
  mayGoOn(connection: Parsed): boolean;
}

export function headTurns(): HeadTurns {
  const going = new Set<Parsed>();
  const waiting = new Set<Parsed>();
  let scheduled = false;

  function mayGoOn(connection: Parsed): boolean {
    if (going.has(connection)) return true;
    if (!scheduled) {
      scheduled = true;
      setImmediate(nextTurn);
    }
    if (going.size < AT_ONCE) going.add(connection);
    else waiting.add(connection);
    return going.has(connection);
  }

  function nextTurn(): void {
    scheduled = false;
    going.clear();
    for (const connection of [...waiting.values().take(AT_ONCE)]) {
      waiting.delete(connection);
      connection.resume();
    }
    if (waiting.size === 0 || scheduled) return;
    scheduled = true;
    setImmediate(nextTurn);
  }

  return { mayGoOn };
}
