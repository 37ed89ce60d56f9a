import type { Socket } from 'node:net';
import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, untilClosed } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface SlowReadOptions extends AttackOptions {
  readonly from: readonly string[];
  /** Total number, spread over the addresses. */
  readonly connections: number;
  /** Complete requests; each connection takes the next and sends it this often at once. */
  readonly requests: readonly string[];
  readonly repeat: number;
  /** Bytes that each connection reads every 250 ms, at most 64 KiB; default none. */
  readonly sip?: boolean;
  /** Connections opened per second; default all at once. */
  readonly opened_a_second?: number;
}

const SIP_EVERY_MS = 250;

/** Requests long responses and reads them slowly or not at all. */
export async function slowRead(target: Target, options: SlowReadOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const { from, connections, opened_a_second } = options;
  const lanes = Array.from({ length: connections }, async (_, n) => {
    if (opened_a_second !== undefined) await timer.pause((n / opened_a_second) * 1000);
    while (!timer.isOver()) {
      const socket = await connectFrom(target, from[n % from.length] ?? '127.0.0.1');
      if (socket === undefined) tally.count('refused');
      else await ask(socket, n, options, timer, tally);
      await timer.pause(250);
    }
  });
  await Promise.all(lanes);
  return tally.report();
}

async function ask(
  socket: Socket,
  n: number,
  { requests, repeat, sip = false }: SlowReadOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  tally.count('connections');
  let first = true;
  // Paused: the socket buffers 64 KiB and leaves the rest in the kernel.
  socket.pause();
  socket.write((requests[n % requests.length] ?? '').repeat(repeat));
  socket.on('readable', () => {
    if (!first) return;
    first = false;
    const start = (socket.read() as Buffer | null)?.toString('latin1', 0, 12) ?? '';
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1]);
    tally.answer({ status, request_id: undefined, retry_after: '', close: false }, () => 'a long answer');
  });
  const sipping = setInterval(() => {
    if (sip) tally.count('bytes', (socket.read() as Buffer | null)?.length ?? 0);
  }, SIP_EVERY_MS);
  await untilClosed(socket, timer.signal);
  clearInterval(sipping);
  if (!socket.closed) tally.count('held');
  socket.destroy();
}
