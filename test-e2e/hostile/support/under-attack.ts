import { until } from '@gatehouse/dev-env/until';
import type { Report } from '../attacks/attack.ts';
import type { AttackSpec } from '../attacks/index.ts';
import { type AttackSetup, warmUp } from './attack-setup.ts';
import { attack } from './attacker.ts';
import { MAX_GROWTH_MB, MAX_RSS_MB, MAX_SERVICE_GROWTH_MB, RECOVERED_WITHIN_MS } from './bounds.ts';
import { type BystandersReport, startBystanders } from './bystanders.ts';
import { markLogs } from './logs.ts';
import { type Memory, memoryOf, socketsOf, watchMemory } from './memory.ts';

/** Effect of an attack on the stack and the bystanders. */
export interface AttackOutcome {
  /** The result of each order in turn; undefined if it was stopped. */
  readonly reports: readonly (Report | undefined)[];
  readonly memory: Readonly<Record<string, Memory>>;
  readonly bystanders: BystandersReport;
  /** Processes that were restarted. */
  readonly restarted: readonly string[];
  /** Lines that a process logs only for an unexpected failure. */
  readonly failures: readonly string[];
  /** The reason for an early stop. */
  readonly stopped?: string;
  readonly recovered_ms: number;
  /** Descriptions of everything that did not recover in time. */
  readonly unrecovered: readonly string[];
}

/** A process over its memory bound by this factor has failed; stop before the machine does. */
const STOP_AT = 2;
/** Allowance for connections between services, which are renewed now and then. */
const SOCKETS_MORE = 8;

/** Runs attacks concurrently on a stack that bystanders use, and waits until it has recovered. */
export async function underAttack(setup: AttackSetup, orders: readonly AttackSpec[]): Promise<AttackOutcome> {
  const { target, bystanders, stack } = setup;
  await stack.running.ready();
  const before = pidsOf(setup);
  const edge = before.gateway ?? 0;
  const sockets = socketsOf(edge);
  const newFailures = markLogs(stack.data_dir);
  const company = await startBystanders({ target, bystanders });
  let stopped: string | undefined;
  const attackers = orders.map((order) => attack(target, order));
  const memory = watchMemory(before, (name, mb) => {
    if (mb < MAX_RSS_MB * STOP_AT || stopped !== undefined) return;
    stopped = `${name} had taken ${mb} MB`;
    for (const attacker of attackers) attacker.stop();
  });
  const reports = await Promise.all(attackers.map(({ report }) => report));
  const endedAt = performance.now();
  const bystandersReport = await company.end();

  const findUnrecovered = async () => {
    const now = pidsOf(setup);
    const left = Object.keys(before).filter((name) => now[name] !== before[name]);
    return [
      ...left.map((name) => ({ name, what: `${name} was restarted` })),
      ...swollen(now, memory.before).map(({ name, mb }) => ({
        name,
        what: `${name} has ${mb} MB more than before`,
      })),
      ...openSockets(edge, sockets).map((count) => ({
        name: 'gateway',
        what: `the edge has ${count} more sockets`,
      })),
      ...((await isReady(stack.url)) ? [] : [{ name: 'gateway', what: '/readyz is not 200' }]),
    ];
  };
  const left = RECOVERED_WITHIN_MS - (performance.now() - endedAt);
  let unrecovered = await findUnrecovered();
  await until('recovery', left, async () => {
    unrecovered = await findUnrecovered();
    return unrecovered.length === 0 ? true : undefined;
  }).catch(() => undefined);
  const recovered_ms = Math.round(performance.now() - endedAt);

  const after = pidsOf(setup);
  const restarted = Object.keys(before).filter((name) => after[name] !== before[name]);
  const failures = newFailures();
  const used = memory.stop(); // Requests queued in a process may run after the attack has ended.
  for (const name of new Set(unrecovered.map(({ name }) => name))) await replace(setup, name);
  return {
    reports,
    memory: used,
    bystanders: bystandersReport,
    restarted,
    failures,
    recovered_ms,
    unrecovered: unrecovered.map(({ what }) => what),
    ...(stopped !== undefined && { stopped }),
  };
}

function swollen(
  pids: Record<string, number>,
  before_mb: Readonly<Record<string, number>>,
): { name: string; mb: number }[] {
  return Object.entries(pids)
    .map(([name, pid]) => ({ name, mb: (memoryOf(pid)?.resident_mb ?? 0) - (before_mb[name] ?? 0) }))
    .filter(({ name, mb }) => mb > (name === 'gateway' ? MAX_GROWTH_MB : MAX_SERVICE_GROWTH_MB));
}

/** Excess over the allowance, if any. */
function openSockets(pid: number, before: number): number[] {
  const more = socketsOf(pid) - before;
  return more > SOCKETS_MORE ? [more] : [];
}

/** Memory left by one attack does not count against the next. */
async function replace({ stack }: AttackSetup, name: string): Promise<void> {
  const old = stack.running.pids()[name];
  if (old !== undefined) process.kill(old, 'SIGKILL');
  await until(`another ${name}`, 30_000, () => {
    const pid = stack.running.pids()[name];
    return pid !== undefined && pid !== old ? true : undefined;
  });
  await stack.running.ready();
  if (name === 'gateway') await warmUp(stack.url);
}

/** Process IDs of the running processes. */
function pidsOf({ stack }: AttackSetup): Record<string, number> {
  const { postgres: _, ...pids } = stack.running.pids();
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid]])),
  );
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (
      await fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) })
    ).ok;
  } catch {
    return false;
  }
}
