import { setTimeout as delay } from 'node:timers/promises';
import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom, writeDrained } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface PipelineOptions extends AttackOptions {
  readonly from: string;
  readonly connections: number;
  /** Requests to send in turn. `{id}` is replaced by the request's ID, which its response must repeat. */
  readonly requests: readonly string[];
  /** Whether the attacker reads the responses. */
  readonly reads: boolean;
  /** Whether it waits at the end until every request is answered. */
  readonly finishes?: boolean;
  /** Broken HTTP after this many requests on a connection, followed by a new connection. */
  readonly breaks_after?: number;
}

/** Requests per write. */
const AT_ONCE = 32;
const ANSWERED_WITHIN_MS = 15_000;
const BROKEN = 'GET / HTTP/9.9\r\n\r\n';

/** Sends requests without waiting for responses. The responses that it reads must be complete and in order. */
export async function pipeline(target: Target, options: PipelineOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const lanes = Array.from({ length: options.connections }, async () => {
    do await oneConnection(target, options, timer, tally);
    while (!timer.isOver());
  });
  await Promise.all(lanes);
  return tally.report();
}

async function oneConnection(
  target: Target,
  { from, requests, reads, finishes = false, breaks_after = Number.POSITIVE_INFINITY }: PipelineOptions,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const socket = await connectFrom(target, from);
  if (socket === undefined) {
    tally.count('refused');
    return timer.pause(100);
  }
  tally.count('connections');
  let sent = 0;
  let answered = 0;
  let last = false;
  const isHead = (n: number) => n < sent && (requests[n % requests.length] ?? '').startsWith('HEAD ');
  const reader = responseParser((answer) => {
    tally.answer(answer);
    const broken = answered === breaks_after && answer.status === 400;
    if (!broken && answer.request_id !== String(answered))
      tally.problem(`answer ${answered} is to request ${answer.request_id}`);
    if (last) tally.problem('a response followed the one that closes the connection');
    last = answer.close;
    answered++;
  }, isHead);
  if (reads) {
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.read(chunk.toString('latin1'));
      } catch (error) {
        tally.problem(String(error));
        socket.destroy();
      }
    });
  }

  while (sent < breaks_after) {
    const first = sent;
    sent = Math.min(sent + AT_ONCE, breaks_after);
    if (!(await writeDrained(socket, batch(requests, first, sent), timer.signal))) break;
  }
  tally.count('requests', sent);
  const broke = sent === breaks_after && socket.writable;
  if (broke) socket.write(BROKEN);
  if (reads && (finishes || broke)) {
    // Nothing follows the end: a response that closes the connection need not be for the last request.
    await answersCame(() => socket.readableEnded || socket.closed || answered >= sent + (broke ? 1 : 0));
    if (answered < sent && !last) tally.problem(`${answered} of ${sent} requests were answered`);
    if (!reader.whole()) tally.problem('the last response was cut off');
    if (broke && !last) tally.problem('broken HTTP was not answered');
  }
  socket.destroy();
}

function batch(requests: readonly string[], from: number, to: number): string {
  let text = '';
  for (let n = from; n < to; n++) text += (requests[n % requests.length] ?? '').replace('{id}', String(n));
  return text;
}

async function answersCame(all: () => boolean): Promise<void> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  while (!all() && performance.now() < until) await delay(20);
}
