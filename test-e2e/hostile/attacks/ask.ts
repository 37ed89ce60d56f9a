import { openKeptConnection } from '../support/kept-connection.ts';
import { beginRound } from '../support/round.ts';
import { openTally } from '../support/tally.ts';
import type { Report, Target, Timed } from './attack.ts';

export interface AskOptions extends Timed {
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

/** Makes requests that are expensive to answer. */
export async function ask(target: Target, { from, askers, seconds }: AskOptions): Promise<Report> {
  const round = beginRound(seconds);
  const tally = openTally();
  const lanes = askers.flatMap(({ token, at_once, requests }) =>
    Array.from({ length: at_once }, async () => {
      const headers = { authorization: `Bearer ${token}` };
      const connection = await openKeptConnection(target, from);
      for (let n = 0; connection !== undefined && !round.over(); n++) {
        const request = requests[n % requests.length];
        if (request === undefined) break;
        tally.count('requests');
        const startedAt = performance.now();
        const answer = await connection.ask(request.method, request.path, request.body, headers);
        tally.waited(performance.now() - startedAt);
        if (answer === undefined) break;
        tally.answer(answer, () => `${request.method} ${request.path}`);
        if (answer.status === 503) await round.pause(200);
      }
      connection?.close();
    }),
  );
  await Promise.all(lanes);
  return tally.report();
}
