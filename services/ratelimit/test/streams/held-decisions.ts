import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { identityHash } from '@gatehouse/ratelimit-client/keys/identity-hash';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { chargeReader } from '../../src/checks/charge-reader.ts';
import type { CheckSession } from '../../src/checks/check-session.ts';
import type { Decider } from '../../src/checks/decider.ts';
import { OverrideTable } from '../../src/overrides/override-table.ts';
import { openRules } from '../../src/reference/rules.ts';
import { checkStream } from '../../src/rpc/check-stream.ts';
import { ADMITTED, NOT_MADE, type Verdict } from '../../src/stores/verdict.ts';
import { isWithdrawn } from '../../src/withdrawn.ts';
import { BUILT_IN_RULES } from '../support.ts';

interface Waiting {
  readonly checks: readonly Check[];
  decide(verdicts: readonly Verdict[]): void;
}

/** A service with CheckStream alone, which admits every check when the test wants it to. */
export class HeldDecisions {
  readonly address: string;
  readonly #serving: { close(): Promise<void> };
  readonly #sessions: ReadonlySet<CheckSession>;
  readonly #waiting: Waiting[];
  /** The first identity of each check that was made. */
  readonly made: string[] = [];

  private constructor(
    serving: { readonly address: string; close(): Promise<void> },
    sessions: ReadonlySet<CheckSession>,
    waiting: Waiting[],
  ) {
    this.address = serving.address;
    this.#serving = serving;
    this.#sessions = sessions;
    this.#waiting = waiting;
  }

  static async start(): Promise<HeldDecisions> {
    const rules = openRules({ file: BUILT_IN_RULES, log: silentLogger });
    const sessions = new Set<CheckSession>();
    const waiting: Waiting[] = [];
    const decideMany: Decider['decideMany'] = (checks) =>
      new Promise((decide) => {
        waiting.push({ checks, decide });
      });
    const open = checkStream({
      charges: chargeReader(rules, identityHash(undefined), new OverrideTable(() => 0)),
      decider: { decideMany },
      checkSessions: sessions,
    });
    const serving = await serve({
      address: '127.0.0.1:0',
      implementations: [
        implement(
          RatelimitServiceDefinition,
          someHandlers(RatelimitServiceDefinition, { checkStream: open }),
        ),
      ],
      log: silentLogger,
    });
    const close = async (): Promise<void> => {
      rules.close();
      await serving.close();
    };
    return new HeldDecisions({ address: serving.address, close }, sessions, waiting);
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#sessions.size;
  }

  /** Number of open checks, of all streams. */
  get open(): number {
    return [...this.#sessions].reduce((sum, { size }) => sum + size, 0);
  }

  /** Number of checks that wait for `decide`, those that were withdrawn included. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { checks }) => sum + checks.length, 0);
  }

  /** Decides all waiting checks. */
  decide(): void {
    for (const { checks, decide } of this.#waiting.splice(0)) {
      decide(
        checks.map((check) => {
          if (isWithdrawn(check)) return NOT_MADE;
          this.made.push(check[0]?.[0]?.key ?? '');
          return ADMITTED;
        }),
      );
    }
  }

  /** Begins to stop the service. */
  close(): Promise<void> {
    return this.#serving.close();
  }
}
