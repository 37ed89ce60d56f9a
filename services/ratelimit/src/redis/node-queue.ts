import { deadlineExceeded, Fault, unavailable } from '@gatehouse/kit/fault';
import { type BatchWatch, batcher } from '@gatehouse/kit/queues/batch';
import { traced } from '@gatehouse/kit/trace/current-span';
import type { Check, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Cluster, Redis } from 'ioredis';
import { TooLate, within } from '../deadline.ts';
import { readDecisions, writeBatch } from './batch.ts';
import { runScript, script } from './script.ts';

/** The dependencies of a store. */
export interface RedisDeps {
  readonly client: Redis | Cluster;
  /** The clock of the buckets; below 0: the server's own. */
  readonly now_us: () => number;
  /** Maximum time of each command, and of a check's wait to be sent. */
  readonly timeout_ms: number;
  readonly watch?: BatchWatch | undefined;
  /** Called with the error of each failed command. */
  readonly failed: (error: unknown) => void;
}

/** Decides a check whose buckets all lie in `slot`; without a cluster any number will do. */
export type Ask = (slot: number, check: Check) => Promise<Decision>;

interface Waiting {
  readonly slot: number;
  readonly check: Check;
  readonly due_ms: number;
}

const DECIDE = script('./decide.lua');

/**
 * The queue of checks for one server: up to 64 share a round trip, and two round trips run at a time. A check that
 * could not leave in time is not sent: charges without a waiting caller would keep a slow server slow.
 */
export function nodeQueue(deps: RedisDeps): Ask {
  const { client, now_us, timeout_ms, watch } = deps;

  async function run(items: readonly Waiting[]): Promise<readonly (Decision | Error)[]> {
    const answers = new Array<Decision | Error>(items.length);
    const started_ms = performance.now();
    const slots = new Map<number, number[]>();
    for (const [index, { slot, due_ms }] of items.entries()) {
      const others = slots.get(slot);
      if (due_ms < started_ms) answers[index] = deadlineExceeded(new Error('redis: waited in this process'));
      else if (others === undefined) slots.set(slot, [index]);
      else others.push(index);
    }
    await Promise.all(
      [...slots.values()].map(async (indices) => {
        const decided = await decide(indices.map((index) => items[index]?.check ?? []));
        for (const [i, index] of indices.entries()) answers[index] = decided[i];
      }),
    );
    return answers;
  }

  async function decide(checks: readonly Check[]): Promise<readonly (Decision | Error)[]> {
    try {
      const batch = writeBatch(checks, now_us());
      const reply = await traced('EVALSHA decide', 'client', attributesOf(checks), () =>
        within(runScript(client, DECIDE, batch.keys, [batch.payload]), timeout_ms),
      );
      return readDecisions(batch, checks.length, reply);
    } catch (error) {
      deps.failed(error);
      const fault = storeFault(error);
      return checks.map(() => fault);
    }
  }

  const enqueue = batcher<Waiting, Decision>({ name: 'decide', run, watch });
  return (slot, check) => enqueue({ slot, check, due_ms: performance.now() + timeout_ms });
}

function attributesOf(checks: readonly Check[]) {
  return { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'gatehouse.batch.size': checks.length };
}

/** The fault for a failure of Redis or of its connection. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return error instanceof TooLate ? deadlineExceeded(error) : unavailable(error);
}
