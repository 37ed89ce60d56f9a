import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

export interface OutageFigures {
  readonly answers: number;
  /** Admitted checks, and the maximum that burst and drain of the buckets allow. */
  readonly admitted: number;
  readonly max_admitted: number;
  /** Decided by failure policies. */
  readonly degraded: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  /** From the end of the outage to the last degraded decision. */
  readonly until_exact_ms: number;
}

const CALLERS = 16;
const WEBHOOKS = 50;
/** webhook:codehost, 200 per 60 s. */
const LIMIT = 200;
const WINDOW_SECONDS = 60;
const BEFORE_MS = 1_000;
const AFTER_MS = 2_000;

/** Charges the buckets of fifty webhooks as fast as possible before, during and after an outage. */
export async function chargeDuringOutage(
  addresses: readonly string[],
  seconds: number,
  outage: { begin(): Promise<unknown>; end(): Promise<unknown> },
): Promise<OutageFigures> {
  const connections = addresses.map((address) => connect(RatelimitServiceDefinition, { address }));
  const run = randomUUID();
  const took: number[] = [];
  let admitted = 0;
  let degraded = 0;
  let lastDegradedAt = 0;
  let done = false;

  async function call(caller: number): Promise<void> {
    const { client } = connections[caller % connections.length] ?? connections[0] ?? never();
    while (!done) {
      const identities = [`webhook:${run}:${Math.floor(Math.random() * WEBHOOKS)}`];
      const sets = [{ charges: [{ bucket: 'webhook:codehost', identities, cost: null }] }];
      const at = performance.now();
      const answer = await client.check({ sets }, { timeoutMs: 5_000 });
      took.push(performance.now() - at);
      if (answer.denial === null || answer.denial === undefined) admitted++;
      if (answer.degraded) {
        degraded++;
        lastDegradedAt = performance.now();
      }
    }
  }

  try {
    const startedAt = performance.now();
    const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
    await sleep(BEFORE_MS);
    await outage.begin();
    await sleep(seconds * 1000);
    const endedAt = performance.now();
    await outage.end();
    await sleep(AFTER_MS);
    done = true;
    await calls;
    const elapsed = (performance.now() - startedAt) / 1000;
    took.sort((a, b) => a - b);
    const at = (quantile: number): number => rounded(took[Math.floor(took.length * quantile)] ?? 0);
    return {
      answers: took.length,
      admitted,
      max_admitted: Math.floor(WEBHOOKS * LIMIT * (1 + elapsed / WINDOW_SECONDS)),
      degraded,
      p50_ms: at(0.5),
      p99_ms: at(0.99),
      longest_ms: rounded(took.at(-1) ?? 0),
      until_exact_ms: Math.max(0, rounded(lastDegradedAt - endedAt)),
    };
  } finally {
    for (const connection of connections) connection.close();
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function never(): never {
  throw new Error('there is no replica');
}
