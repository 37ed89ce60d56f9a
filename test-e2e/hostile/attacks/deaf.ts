import type { Socket } from 'node:net';
import { beginRound, type Round } from '../support/round.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { closed, dial } from '../support/wire.ts';
import type { Report, Target, Timed } from './attack.ts';

export interface DeafOptions extends Timed {
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
export async function deaf(target: Target, options: DeafOptions): Promise<Report> {
  const round = beginRound(options.seconds);
  const tally = openTally();
  const { from, connections, opened_a_second } = options;
  const lanes = Array.from({ length: connections }, async (_, n) => {
    if (opened_a_second !== undefined) await round.pause((n / opened_a_second) * 1000);
    while (!round.over()) {
      const socket = await dial(target, from[n % from.length] ?? '127.0.0.1');
      if (socket === undefined) tally.count('refused');
      else await ask(socket, n, options, round, tally);
      await round.pause(250);
    }
  });
  await Promise.all(lanes);
  return tally.report();
}

async function ask(
  socket: Socket,
  n: number,
  { requests, repeat, sip = false }: DeafOptions,
  round: Round,
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
  await closed(socket, round.signal);
  clearInterval(sipping);
  if (!socket.closed) tally.count('held');
  socket.destroy();
}
