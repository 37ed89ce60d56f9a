import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, writeDrained } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface ChunksOptions extends AttackOptions {
  readonly from: string;
  readonly connections: number;
  /** Under /api/v1. */
  readonly path: string;
  /** One chunk in wire format, repeated endlessly. */
  readonly chunk: string;
  /** Sends each byte in a separate packet. */
  readonly byte_by_byte?: boolean;
}

const WRITE_BYTES = 64 * 1024;

/** Sends a body of endless tiny chunks, and replaces connections that are closed. */
export async function chunks(target: Target, options: ChunksOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      while (!timer.isOver()) await oneBody(target, options, timer, tally);
    }),
  );
  return tally.report();
}

async function oneBody(
  target: Target,
  options: ChunksOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const { from, path, chunk, byte_by_byte = false } = options;
  const socket = await connectFrom(target, from);
  if (socket === undefined) return timer.pause(100);
  tally.count('connections');
  const reader = responseParser((answer) => tally.answer(answer));
  socket.on('data', (bytes: Buffer) => reader.read(bytes.toString('latin1')));
  socket.once('end', () => socket.destroy());
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: gatehouse',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const many = Buffer.from(chunk.repeat(Math.ceil(WRITE_BYTES / chunk.length)));
  let open = true;
  while (open) {
    if (byte_by_byte) open = await writeBytes(socket, chunk, timer);
    else open = await writeDrained(socket, many, timer.signal);
    tally.count('chunks', byte_by_byte ? 1 : many.length / chunk.length);
  }
  socket.destroy();
}

async function writeBytes(
  socket: Parameters<typeof writeDrained>[0],
  chunk: string,
  { signal }: AttackTimer,
): Promise<boolean> {
  for (const byte of chunk) {
    if (!socket.writable || signal.aborted) return false;
    socket.write(byte);
  }
  if (socket.writableNeedDrain) return writeDrained(socket, '', signal);
  await nextTurn();
  return socket.writable;
}
