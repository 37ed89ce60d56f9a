import type { EncryptedRows } from '@gatehouse/proto/auth';
import { CommandFailure, ExitCode } from '../../failures.ts';
import { printable } from '../../output/printable.ts';
import { Progress } from '../../output/progress.ts';
import { count } from '../../output/quantities.ts';
import { addressesOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { AUTH_TIMEOUT, type AuthClient, callAuth } from './auth-service.ts';
import { isComplete, type ReencryptResult, reencryptJson, reencryptLines } from './reencrypt-report.ts';

/**
 * Rounds go on until one moves nothing. A later round finds rows that were locked, or that a replica wrote under
 * an older key, during the round before.
 */
const MAX_ROUNDS = 10;

export interface ReencryptOptions {
  readonly dryRun?: boolean;
  readonly address: string | undefined;
  readonly json?: boolean;
}

/** Re-encrypts all rows under the newest key and prints how many are left under each. */
export async function reencrypt(
  { dryRun = false, address, json }: ReencryptOptions,
  runtime: Runtime,
): Promise<void> {
  const at = address ?? addressesOf(runtime.env, 'auth');
  const keys = await commonKeys(at.split(','), runtime);
  const result = await callAuth(at, runtime, (client) => moveAll(client, keys, dryRun, runtime));
  if (json) printLine(runtime, reencryptJson(result));
  else for (const line of reencryptLines(result)) printLine(runtime, line);
  if (!isComplete(result)) runtime.exitCode = ExitCode.NEGATIVE;
}

/**
 * The fingerprints of the keys of all replicas.
 *
 * @throws CommandFailure if their newest keys differ: one replica would undo the work of another
 */
async function commonKeys(addresses: readonly string[], runtime: Runtime): Promise<readonly string[]> {
  const all = new Set<string>();
  const newest = new Map<string, string>();
  for (const address of addresses) {
    const call = { ...AUTH_TIMEOUT, signal: runtime.signal };
    const { keys } = await callAuth(address, runtime, (client) =>
      client.reencrypt({ dry_run: true, limit: 1 }, call),
    );
    for (const key of keys) all.add(key);
    newest.set(address, keys[0] ?? '');
  }
  if (new Set(newest.values()).size > 1) throw keysDiffer(newest);
  return [...all];
}

function keysDiffer(newest: ReadonlyMap<string, string>): CommandFailure {
  const each = [...newest].map(([address, key]) => `${address} has ${printable(key)}`).join(', ');
  return new CommandFailure(
    ExitCode.UNANSWERED,
    `Not every replica has the same first key: ${each}. Give all the same AUTH_SECRET_KEY first.`,
  );
}

async function moveAll(
  client: AuthClient,
  keys: readonly string[],
  dry_run: boolean,
  runtime: Runtime,
): Promise<ReencryptResult> {
  let moved = 0;
  for (let round = 1; ; round++) {
    const found = await moveOnce(client, { dry_run, key: keys[0] }, round, runtime);
    moved += found.moved;
    const settled = found.moved === 0;
    if (settled || round === MAX_ROUNDS) return { keys, dry_run, moved, settled, rows: found.rows };
  }
}

/** One round over all pages. */
async function moveOnce(
  client: AuthClient,
  request: { readonly dry_run: boolean; readonly key: string | undefined },
  round: number,
  { stderr, signal }: Runtime,
): Promise<{ rows: EncryptedRows[]; moved: number }> {
  const progress = new Progress(stderr);
  const totals = new Map<string, EncryptedRows>();
  let [checked, moved] = [0, 0];
  let after: string | undefined;
  do {
    const page = await client.reencrypt({ ...request, after }, { ...AUTH_TIMEOUT, signal });
    for (const rows of page.rows) {
      addTo(totals, rows);
      checked += rows.rows;
      moved += rows.moved;
    }
    progress.note(`round ${round}: ${count(checked)} rows checked, ${count(moved)} moved`);
    after = page.next ?? undefined;
  } while (after !== undefined);
  progress.end();
  return { rows: [...totals.values()], moved };
}

function addTo(totals: Map<string, EncryptedRows>, added: EncryptedRows): void {
  const name = `${added.table} ${added.key}`;
  const before = totals.get(name);
  totals.set(name, {
    ...added,
    rows: added.rows + (before?.rows ?? 0),
    moved: added.moved + (before?.moved ?? 0),
    unreadable: added.unreadable + (before?.unreadable ?? 0),
  });
}
