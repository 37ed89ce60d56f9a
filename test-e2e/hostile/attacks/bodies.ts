import type { Socket } from 'node:net';
import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { type ResponseHead, responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, untilClosed, writeDrained } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';
import { type Shape, shaped } from './shapes.ts';

export interface BodiesOptions extends AttackOptions {
  /** Addresses, each with `at_once` concurrent requests. */
  readonly from: readonly string[];
  readonly at_once: number;
  /** Requests to send in turn. */
  readonly requests: readonly BodyRequest[];
  /** Wait between a response and the next request; default none. */
  readonly pause_ms?: number;
}

export interface BodyRequest {
  readonly method: string;
  /** Under /api/v1. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly shape: Shape;
  readonly bytes: number;
}

const SLICE = 64 * 1024;
const ANSWER_WITHIN_MS = 15_000;

/** Sends complete requests with long bodies, one after the other on each connection. */
export async function bodies(target: Target, options: BodiesOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const messages = options.requests.map((request) => message(request));
  const lanes = options.from.flatMap((from) =>
    Array.from({ length: options.at_once }, async (_, lane) => {
      for (let n = lane; !timer.isOver(); n++) {
        const next = messages[n % messages.length];
        if (next !== undefined) await exchange(target, from, next, timer, tally);
        if (options.pause_ms !== undefined) await timer.pause(options.pause_ms);
      }
    }),
  );
  await Promise.all(lanes);
  return tally.report();
}

interface Message {
  readonly what: string;
  readonly bytes: Buffer;
}

function message({ method, path, headers = {}, shape, bytes }: BodyRequest): Message {
  const body = shaped(shape, bytes);
  const fields = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const line = `${method} /api/v1${path} HTTP/1.1\r\nhost: gatehouse\r\n`;
  return { what: `${method} ${shape}`, bytes: Buffer.concat([Buffer.from(`${line}${head}\r\n`), body]) };
}

async function exchange(
  target: Target,
  from: string,
  { what, bytes }: Message,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const startedAt = performance.now();
  const socket = await connectFrom(target, from);
  if (socket === undefined) {
    tally.count('refused');
    return timer.pause(50);
  }
  tally.count('requests');
  let answer: ResponseHead | undefined;
  const reader = responseParser((head) => {
    answer = head;
  });
  socket.on('data', (chunk: Buffer) => reader.read(chunk.toString('latin1')));
  socket.once('end', () => socket.destroy());
  // A started request is completed, even if the time is up meanwhile.
  const patience = AbortSignal.timeout(ANSWER_WITHIN_MS);
  await pourAll(socket, bytes, patience, () => answer !== undefined);
  await untilClosed(socket, patience);
  socket.destroy();
  tally.waited(performance.now() - startedAt);
  if (answer === undefined) tally.count('cut off');
  else tally.answer(answer, () => what);
}

/** Stops if the response has arrived: a refused body is not sent to its end. */
async function pourAll(
  socket: Socket,
  bytes: Buffer,
  signal: AbortSignal,
  answered: () => boolean,
): Promise<void> {
  for (let at = 0; at < bytes.length && !answered(); at += SLICE) {
    if (!(await writeDrained(socket, bytes.subarray(at, at + SLICE), signal))) return;
  }
}
