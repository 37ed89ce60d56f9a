import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallerPlan, Plan, PlannedCharge, Step } from '../exactness/records.ts';

/** A client of one replica. */
export interface Caller {
  /** Returns the result and its mark, in the form of readRecord. */
  check(sets: readonly (readonly PlannedCharge[])[]): Promise<string>;
  refund(charges: readonly PlannedCharge[]): Promise<void>;
  close(): void;
}

/** Plays the plan in the file that the command line names, with a client per replica, and writes a line for each step. */
export async function playPlan(
  connect: (options: Pick<Plan, 'timeout_ms' | 'proto_root'> & { readonly address: string }) => Caller,
): Promise<void> {
  const { callers, timeout_ms, proto_root } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;
  const clients = new Map<string, Caller>();
  for (const { address } of callers)
    if (!clients.has(address)) clients.set(address, connect({ address, timeout_ms, proto_root }));
  let ended = false;
  process.stdin.resume().once('end', () => {
    ended = true;
  });
  await Promise.all(callers.map((caller) => play(caller, clients.get(caller.address), () => ended)));
  for (const client of clients.values()) client.close();
  process.stdin.destroy();
}

async function play(
  { id, steps }: CallerPlan,
  client: Caller | undefined,
  isEnded: () => boolean,
): Promise<void> {
  if (client === undefined) throw new Error('no client');
  const admitted = new Set<number>();
  for (const [index, step] of steps.entries()) {
    if (isEnded()) return;
    if ('refund' in step && !admitted.has(step.of)) continue;
    const start_us = Date.now() * 1000;
    const outcome = await outcomeOf(client, step);
    if (outcome.startsWith('A')) admitted.add(index);
    // The clock has whole milliseconds: the step may have ended up to one later.
    process.stdout.write(`${id} ${index} ${start_us} ${(Date.now() + 1) * 1000} ${outcome}\n`);
    if (outcome.startsWith('E')) await sleep(20);
  }
}

async function outcomeOf(client: Caller, step: Step): Promise<string> {
  try {
    if ('check' in step) return await client.check(step.check);
    await client.refund(step.refund);
    return 'R -';
  } catch (error) {
    return `E - ${String(error).replaceAll('\n', ' ')}`;
  }
}
