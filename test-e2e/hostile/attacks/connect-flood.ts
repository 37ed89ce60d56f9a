import { startAttackTimer } from '../support/attack-timer.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface ConnectFloodOptions extends AttackOptions {
  readonly from: readonly string[];
  readonly per_second: number;
  /** Action on an open connection: end it, reset it, or reset it after these bytes. */
  readonly then: 'end' | 'reset' | { readonly send: string };
}

const TICK_MS = 10;

/** Opens connections and closes them at once. */
export async function connectFlood(target: Target, options: ConnectFloodOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const { from, per_second } = options;
  const startedAt = performance.now();
  const knocks: Promise<void>[] = [];
  while (!timer.isOver()) {
    const due = ((performance.now() - startedAt) / 1000) * per_second;
    while (knocks.length < due) {
      knocks.push(once(target, from[knocks.length % from.length] ?? '127.0.0.1', options, tally));
    }
    await timer.pause(TICK_MS);
  }
  await Promise.all(knocks);
  return tally.report();
}

async function once(
  target: Target,
  from: string,
  { then }: ConnectFloodOptions,
  tally: Tally,
): Promise<void> {
  const startedAt = performance.now();
  const socket = await connectFrom(target, from);
  if (socket === undefined) return tally.count('refused');
  tally.waited(performance.now() - startedAt);
  tally.count('connections');
  if (then === 'end') socket.end(() => socket.destroy());
  else if (then === 'reset') socket.resetAndDestroy();
  else socket.write(then.send, () => socket.resetAndDestroy());
}
