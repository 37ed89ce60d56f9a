import { beginRound } from '../support/round.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { dial } from '../support/wire.ts';
import type { Report, Target, Timed } from './attack.ts';

export interface KnockOptions extends Timed {
  readonly from: readonly string[];
  readonly per_second: number;
  /** Action on an open connection: end it, reset it, or reset it after these bytes. */
  readonly then: 'end' | 'reset' | { readonly send: string };
}

const TICK_MS = 10;

/** Opens connections and closes them at once. */
export async function knock(target: Target, options: KnockOptions): Promise<Report> {
  const round = beginRound(options.seconds);
  const tally = openTally();
  const { from, per_second } = options;
  const startedAt = performance.now();
  const knocks: Promise<void>[] = [];
  while (!round.over()) {
    const due = ((performance.now() - startedAt) / 1000) * per_second;
    while (knocks.length < due) {
      knocks.push(once(target, from[knocks.length % from.length] ?? '127.0.0.1', options, tally));
    }
    await round.pause(TICK_MS);
  }
  await Promise.all(knocks);
  return tally.report();
}

async function once(target: Target, from: string, { then }: KnockOptions, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  const socket = await dial(target, from);
  if (socket === undefined) return tally.count('refused');
  tally.waited(performance.now() - startedAt);
  tally.count('connections');
  if (then === 'end') socket.end(() => socket.destroy());
  else if (then === 'reset') socket.resetAndDestroy();
  else socket.write(then.send, () => socket.resetAndDestroy());
}
