import { cancelled, deadlineExceeded, Fault, unavailable } from '@gatehouse/kit/fault';
import { type BatchWatch, batcher } from '@gatehouse/kit/queues/batch';
import { traced } from '@gatehouse/kit/trace/current-span';
import type { Cluster, Redis } from 'ioredis';
import { orTimeout, TimeoutError } from '../or-timeout.ts';
import { isWithdrawn } from '../withdrawn.ts';
import { type BatchedCheck, readOutcomes, type StepOutcome, writeBatch } from './batch.ts';
import { runScript, script } from './script.ts';

export interface CheckQueueOptions {
  readonly client: Redis | Cluster;
  /** For tests: a clock instead of the server's own. Below 0: the server's own. */
  readonly now_us?: (() => number) | undefined;
  /** Maximum time of each command, and of a check's wait to be sent. */
  readonly timeout_ms: number;
  readonly watch?: BatchWatch | undefined;
  /** Called with the error of each failed command. */
  readonly onFailure: (error: unknown) => void;
}

/** Decides a check whose buckets are all in one slot of a cluster. Without a cluster, all checks have the same slot. */
export type DecideInSlot = (slot: number, check: BatchedCheck) => Promise<StepOutcome>;

interface QueuedCheck {
  readonly slot: number;
  readonly check: BatchedCheck;
  readonly due_ms: number;
}

const DECIDE = script('./decide.lua');
const DECIDE_ALL_KINDS = script('./decide.lua', './other-kinds.lua');
/** In place of a time: the server's own clock. */
export const SERVER_CLOCK = -1;

/**
 * A queue of checks for one server. Up to 64 share a round trip, and two round trips run at a time. A check that is not
 * sent in time, or is withdrawn, is never sent: charges without a waiting caller would keep a slow server slow.
 */
export function checkQueue(options: CheckQueueOptions): DecideInSlot {
  const { client, now_us = () => SERVER_CLOCK, timeout_ms, watch, onFailure } = options;

  async function run(queued: readonly QueuedCheck[]): Promise<readonly (StepOutcome | Error)[]> {
    const outcomes = new Array<StepOutcome | Error>(queued.length);
    const started_ms = performance.now();
    const slots = new Map<number, number[]>();
    for (const [index, { slot, check, due_ms }] of queued.entries()) {
      const others = slots.get(slot);
      if (due_ms < started_ms) outcomes[index] = deadlineExceeded(new Error('redis: waited in this process'));
      else if (isWithdrawn(check.partOf ?? check.check)) outcomes[index] = cancelled();
      else if (others === undefined) slots.set(slot, [index]);
      else others.push(index);
    }
    await Promise.all(
      [...slots.values()].map(async (indexes) => {
        const decided = await decide(indexes.flatMap((index) => queued[index]?.check ?? []));
        for (const [i, index] of indexes.entries()) outcomes[index] = decided[i] as StepOutcome | Error;
      }),
    );
    return outcomes;
  }

  async function decide(checks: readonly BatchedCheck[]): Promise<readonly (StepOutcome | Error)[]> {
    try {
      const batch = writeBatch(checks, now_us());
      const decideScript = batch.hasOtherKinds ? DECIDE_ALL_KINDS : DECIDE;
      const reply = await traced('EVALSHA decide', 'client', attributesOf(checks), () =>
        orTimeout(runScript(client, decideScript, batch.keys, batch.args), timeout_ms),
      );
      return readOutcomes(batch, checks, reply);
    } catch (error) {
      onFailure(error);
      const fault = storeFault(error);
      return checks.map(() => fault);
    }
  }

  const enqueue = batcher<QueuedCheck, StepOutcome>({ name: 'decide', run, watch });
  return (slot, check) => enqueue({ slot, check, due_ms: performance.now() + timeout_ms });
}

function attributesOf(checks: readonly BatchedCheck[]) {
  return { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'gatehouse.batch.size': checks.length };
}

/** The fault for a failure of Redis or of its connection. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return error instanceof TimeoutError ? deadlineExceeded(error) : unavailable(error);
}
