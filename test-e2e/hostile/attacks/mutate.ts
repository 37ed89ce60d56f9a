import { type AttackTimer, startAttackTimer } from '../support/attack-timer.ts';
import { responseParser } from '../support/response-parser.ts';
import { openTally, type Tally } from '../support/tally.ts';
import { connectFrom } from '../support/wire.ts';
import type { AttackOptions, Report, Target } from './attack.ts';
import { mutations } from './mutations.ts';

export interface MutateOptions extends AttackOptions {
  readonly from: readonly string[];
  readonly connections: number;
  /** Total number; the attack ends early once they are done. */
  readonly requests: number;
  /** The same seed and requests give the same mutations. */
  readonly seed: number;
  /** Complete valid requests. */
  readonly valid: readonly string[];
}

/** Time for a request that leaves the server waiting for more; then it is ended. */
const QUIET_MS = 60;
const END_WITHIN_MS = 5_000;

/** Sends mutations of valid requests, one at a time per connection. No response may be a server error. */
export async function mutate(target: Target, options: MutateOptions): Promise<Report> {
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  const next = mutations(options.seed, options.valid);
  let left = options.requests;
  const lanes = Array.from({ length: options.connections }, async (_, lane) => {
    const from = options.from[lane % options.from.length] ?? '127.0.0.1';
    while (left > 0 && !timer.isOver())
      await oneConnection(target, from, () => (left-- > 0 ? next() : undefined), timer, tally);
  });
  await Promise.all(lanes);
  return tally.report();
}

type Outcome = 'answered' | 'over';

/** Until the server ends it, or a request breaks the framing. */
async function oneConnection(
  target: Target,
  from: string,
  next: () => Buffer | undefined,
  timer: AttackTimer,
  tally: Tally,
): Promise<void> {
  const socket = await connectFrom(target, from);
  if (socket === undefined) {
    tally.count('refused');
    return timer.pause(50);
  }
  tally.count('connections');
  let request = Buffer.alloc(0);
  let settle: (outcome: Outcome) => void = () => undefined;
  let answers = 0;
  const reader = responseParser(
    (answer) => {
      answers++;
      tally.answer(answer, () => shown(request));
      if (answer.status === 503) tally.problem(`503 to ${shown(request)}`);
      if (answer.close) settle('over');
    },
    () => request.toString('latin1', 0, 5) === 'HEAD ',
  );
  socket.on('data', (bytes: Buffer) => {
    try {
      reader.read(bytes.toString('latin1'));
      if (answers > 0 && reader.whole()) settle('answered');
    } catch (error) {
      tally.problem(`${error} to ${shown(request)}`);
      socket.destroy();
    }
  });
  socket.once('end', () => socket.destroy());
  socket.once('close', () => settle('over'));

  for (let going = true; going && !timer.isOver(); ) {
    const taken = next();
    if (taken === undefined) break;
    request = Buffer.from(taken);
    answers = 0;
    tally.count('requests');
    const outcome = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    const quiet = setTimeout(() => socket.end(), QUIET_MS);
    const hung = setTimeout(() => {
      tally.count('hung');
      tally.problem(`nothing came in ${END_WITHIN_MS / 1000} s to ${shown(request)}`);
      socket.destroy();
    }, END_WITHIN_MS);
    if (socket.writable) socket.write(request);
    else settle('over');
    going = (await outcome) === 'answered' && socket.writable;
    clearTimeout(quiet);
    clearTimeout(hung);
  }
  socket.destroy();
}

function shown(request: Buffer): string {
  return JSON.stringify(request.toString('latin1').slice(0, 2_000));
}
