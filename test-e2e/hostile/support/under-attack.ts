import { until } from '@gatehouse/dev-env/until';
import type { Report } from '../attacks/attack.ts';
import type { Order } from '../attacks/index.ts';
import { attack } from './attacker.ts';
import { MAX_GROWTH_MB, MAX_RSS_MB, MAX_SERVICE_GROWTH_MB, RECOVERED_WITHIN_MS } from './bounds.ts';
import { beside, type Seen } from './bystanders.ts';
import { markLogs } from './logs.ts';
import { type Memory, memoryOf, socketsOf, watchMemory } from './memory.ts';
import { type Stage, warmUp } from './stage.ts';

/** What an attack did to the stack and to those beside it. */
export interface Outcome {
  /** Of each order, in turn; undefined of one that was stopped. */
  readonly reports: readonly (Report | undefined)[];
  readonly memory: Readonly<Record<string, Memory>>;
  readonly seen: Seen;
  /** Processes that are not the same as before. */
  readonly restarted: readonly string[];
  /** Lines that a process logs only when something failed that nobody had thought of. */
  readonly failures: readonly string[];
  /** Why it was ended before its time. */
  readonly stopped?: string;
  readonly recovered_ms: number;
  /** What was not as before after all this time. */
  readonly lacks: readonly string[];
}

/** Whoever takes so many times its bound has failed; the machine is not to fail with it. */
const STOP_AT = 2;
/** Connections between services are renewed now and then. */
const SOCKETS_MORE = 8;

/** Runs attacks side by side on a stack that others use meanwhile, and waits until it is as it was before. */
export async function underAttack(stage: Stage, orders: readonly Order[]): Promise<Outcome> {
  const { target, bystanders, stack } = stage;
  await stack.running.ready();
  const before = pidsOf(stage);
  const edge = before.gateway ?? 0;
  const sockets = socketsOf(edge);
  const newFailures = markLogs(stack.data_dir);
  const company = await beside({ target, bystanders });
  let stopped: string | undefined;
  const attackers = orders.map((order) => attack(target, order));
  const memory = watchMemory(before, (name, mb) => {
    if (mb < MAX_RSS_MB * STOP_AT || stopped !== undefined) return;
    stopped = `${name} had taken ${mb} MB`;
    for (const attacker of attackers) attacker.stop();
  });
  const reports = await Promise.all(attackers.map(({ report }) => report));
  const endedAt = performance.now();
  const seen = await company.end();

  const lacking = async () => {
    const now = pidsOf(stage);
    const left = Object.keys(before).filter((name) => now[name] !== before[name]);
    return [
      ...left.map((name) => ({ name, what: `${name} is another process` })),
      ...swollen(now, memory.before).map(({ name, mb }) => ({
        name,
        what: `${name} has ${mb} MB more than before`,
      })),
      ...openSockets(edge, sockets).map((count) => ({
        name: 'gateway',
        what: `the edge has ${count} sockets more`,
      })),
      ...((await isReady(stack.url)) ? [] : [{ name: 'gateway', what: '/readyz is not 200' }]),
    ];
  };
  const left = RECOVERED_WITHIN_MS - (performance.now() - endedAt);
  let lacks = await lacking();
  await until('recovery', left, async () => {
    lacks = await lacking();
    return lacks.length === 0 ? true : undefined;
  }).catch(() => undefined);
  const recovered_ms = Math.round(performance.now() - endedAt);

  const after = pidsOf(stage);
  const restarted = Object.keys(before).filter((name) => after[name] !== before[name]);
  const failures = newFailures();
  const used = memory.stop(); // What waited in a process may be worked on after the attack has ended.
  for (const name of new Set(lacks.map((lack) => lack.name))) await replace(stage, name);
  return {
    reports,
    memory: used,
    seen,
    restarted,
    failures,
    recovered_ms,
    lacks: lacks.map(({ what }) => what),
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

/** How many more there are than there should be, if any. */
function openSockets(pid: number, before: number): number[] {
  const more = socketsOf(pid) - before;
  return more > SOCKETS_MORE ? [more] : [];
}

/** What one attack has left behind is not held against the next. */
async function replace({ stack }: Stage, name: string): Promise<void> {
  const old = stack.running.pids()[name];
  if (old !== undefined) process.kill(old, 'SIGKILL');
  await until(`another ${name}`, 30_000, () => {
    const pid = stack.running.pids()[name];
    return pid !== undefined && pid !== old ? true : undefined;
  });
  await stack.running.ready();
  if (name === 'gateway') await warmUp(stack.url);
}

/** Of those that run. */
function pidsOf({ stack }: Stage): Record<string, number> {
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
