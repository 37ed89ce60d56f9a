import { startAttackTimer } from '../support/attack-timer.ts';
import { openKeepAliveConnection } from '../support/keep-alive-connection.ts';
import { openTally } from '../support/tally.ts';
import type { AttackOptions, Report, Target } from './attack.ts';

export interface LoginsOptions extends AttackOptions {
  readonly from: readonly string[];
  /** Number of connections; each moves to the next address after `per_address` logins. */
  readonly connections: number;
  readonly per_address: number;
  /** Total number; the attack ends early once they are done. */
  readonly logins: number;
  /** User names that exist; default names without an account. */
  readonly emails?: readonly string[];
  /** Sends a different X-Forwarded-For with each login, to pass for another address. */
  readonly forwarded?: boolean;
}

/** Logs in with wrong passwords. */
export async function logins(target: Target, options: LoginsOptions): Promise<Report> {
  const { from, connections, per_address, emails, forwarded = false } = options;
  const timer = startAttackTimer(options.seconds);
  const tally = openTally();
  let done = 0;
  let address = 0;
  const lanes = Array.from({ length: connections }, async () => {
    while (!timer.isOver() && done < options.logins) {
      const connection = await openKeepAliveConnection(target, from[address++ % from.length] ?? '127.0.0.1');
      if (connection === undefined) {
        tally.count('refused');
        await timer.pause(50);
        continue;
      }
      for (let n = 0; n < per_address && done < options.logins && !timer.isOver(); n++) {
        const email = emails?.[done % emails.length] ?? `nobody${done}@example.com`;
        const headers = forwarded ? { 'x-forwarded-for': `10.${done >> 8}.${done & 255}.1` } : {};
        done++;
        tally.count('logins');
        const startedAt = performance.now();
        const body = JSON.stringify({ email, password: `a wrong password ${done}` });
        const answer = await connection.ask('POST', '/api/v1/auth/login', body, headers);
        tally.waited(performance.now() - startedAt);
        if (answer === undefined) break;
        tally.answer(answer, () => 'a login');
      }
      connection.close();
    }
  });
  await Promise.all(lanes);
  return tally.report();
}
