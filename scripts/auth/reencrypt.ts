import type { EncryptedRows } from '@gatehouse/proto/auth';
import { count, say } from '../ratelimit/say.ts';
import type { ReencryptOptions } from './arguments.ts';
import { PATIENCE, type Peer } from './peer.ts';
import { printable } from './printable.ts';
import { type Outcome, reencryptJson, reencryptLines } from './reencrypt-report.ts';
import { showProgress } from './show-progress.ts';

/** The replicas encrypt with different keys: one would undo what another moves. */
export class KeysDiffer extends Error {
  constructor(newest: readonly (readonly [address: string, key: string])[]) {
    const each = newest.map(([address, key]) => `${address} has ${printable(key)}`).join(', ');
    super(`Not every replica has the same first key: ${each}. Give all the same AUTH_SECRET_KEY first.`);
    this.name = 'KeysDiffer';
  }
}

export type WithPeer = <T>(address: string, action: (peer: Peer) => Promise<T>) => Promise<T>;

/**
 * Rounds go on until one moves nothing. A later round finds rows that were locked, or that a replica wrote under
 * an older key, during the round before.
 */
const MAX_ROUNDS = 10;

/** Re-encrypts everything under the newest key and prints what is left. Returns whether nothing is left. */
export async function reencrypt(
  withPeer: WithPeer,
  { address, dry_run, json }: ReencryptOptions,
): Promise<boolean> {
  const keys = await commonKeys(withPeer, address.split(','));
  const outcome = await withPeer(address, (peer) => moveAll(peer, keys, dry_run));
  if (json) say(reencryptJson(outcome));
  else for (const line of reencryptLines(outcome)) say(line);
  return (
    outcome.settled && outcome.rows.every(({ key }) => key === keys[0]) && !outcome.rows.some(isUnreadable)
  );
}

/** @throws KeysDiffer */
async function commonKeys(withPeer: WithPeer, addresses: readonly string[]): Promise<readonly string[]> {
  const found: (readonly [address: string, keys: readonly string[]])[] = [];
  for (const address of addresses) {
    const { keys } = await withPeer(address, (peer) => peer.reencrypt({ dry_run: true, limit: 1 }, PATIENCE));
    found.push([address, keys]);
  }
  const newest = found.map(([address, [key = '']]) => [address, key] as const);
  if (new Set(newest.map(([, key]) => key)).size > 1) throw new KeysDiffer(newest);
  return [...new Set(found.flatMap(([, keys]) => keys))];
}

async function moveAll(peer: Peer, keys: readonly string[], dry_run: boolean): Promise<Outcome> {
  let moved = 0;
  for (let round = 1; ; round++) {
    const found = await goThrough(peer, keys[0], dry_run, round);
    moved += found.moved;
    const settled = found.moved === 0;
    if (settled || round === MAX_ROUNDS) return { keys, dry_run, moved, settled, rows: found.rows };
  }
}

/** One round over all pages. */
async function goThrough(
  peer: Peer,
  key: string | undefined,
  dry_run: boolean,
  round: number,
): Promise<{ rows: EncryptedRows[]; moved: number }> {
  const progress = showProgress();
  const totals = new Map<string, EncryptedRows>();
  let [met, moved] = [0, 0];
  let after: string | undefined;
  do {
    const page = await peer.reencrypt({ after, dry_run, key }, PATIENCE);
    for (const some of page.rows) {
      add(totals, some);
      met += some.rows;
      moved += some.moved;
    }
    progress.note(`round ${round}: ${count(met)} rows looked at, ${count(moved)} moved`);
    after = page.next ?? undefined;
  } while (after !== undefined);
  progress.end();
  return { rows: [...totals.values()], moved };
}

function add(totals: Map<string, EncryptedRows>, some: EncryptedRows): void {
  const name = `${some.table} ${some.key}`;
  const before = totals.get(name);
  totals.set(name, {
    ...some,
    rows: some.rows + (before?.rows ?? 0),
    moved: some.moved + (before?.moved ?? 0),
    unreadable: some.unreadable + (before?.unreadable ?? 0),
  });
}

function isUnreadable({ unreadable }: EncryptedRows): boolean {
  return unreadable > 0;
}
