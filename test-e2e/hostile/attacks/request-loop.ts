import { startAttackTimer } from '../support/attack-timer.ts';
import { openKeepAliveConnection } from '../support/keep-alive-connection.ts';
import { openTally } from '../support/tally.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface RequestLoopOptions extends AttackOptions {
  readonly from: string;
  readonly askers: readonly Asker[];
}

/** An account with several connections, each with one request after the other. */
export interface Asker {
  readonly token: string;
  readonly at_once: number;
  /** Requested in turn. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: string }[];
}

/** Sends requests that are expensive to answer. */
export async function requestLoop(
  target: Target,
  { from, askers, seconds }: RequestLoopOptions,
): Promise<Report> {
  const timer = startAttackTimer(seconds);
  const tally = openTally();
  const lanes = askers.flatMap(({ token, at_once, requests }) =>
    Array.from({ length: at_once }, async () => {
      const headers = { authorization: `Bearer ${token}` };
      const connection = await openKeepAliveConnection(target, from);
      for (let n = 0; connection !== undefined && !timer.isOver(); n++) {
        const request = requests[n % requests.length];
        if (request === undefined) break;
        tally.count('requests');
        const startedAt = performance.now();
        const answer = await connection.ask(request.method, request.path, request.body, headers);
        tally.waited(performance.now() - startedAt);
        if (answer === undefined) break;
        tally.answer(answer, () => `${request.method} ${request.path}`);
        if (answer.status === 503) await timer.pause(200);
      }
      connection?.close();
    }),
  );
  await Promise.all(lanes);
  return tally.report();
}
