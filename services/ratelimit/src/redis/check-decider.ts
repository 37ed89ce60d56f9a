import type { Outcome } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { Cluster } from 'ioredis';
import type { BatchedCheck } from './batch.ts';
import { type CheckQueueOptions, checkQueue, type DecideInSlot } from './check-queue.ts';
import { decideAcrossSlots } from './decide-across-slots.ts';

/** Makes a function that decides checks at the server, or at the nodes of a cluster. */
export function checkDecider(options: CheckQueueOptions): (check: BatchedCheck) => Promise<Outcome> {
  const { client } = options;
  if (!(client instanceof Cluster)) {
    const decide = checkQueue(options);
    return (check) => decide(0, check);
  }
  // A queue per node, so that a slow node delays no other.
  const queues = new Map<string, DecideInSlot>();
  return decideAcrossSlots((slot, check) => {
    const node = client.slots[slot]?.[0] ?? '';
    let decide = queues.get(node);
    if (decide === undefined) {
      decide = checkQueue(options);
      queues.set(node, decide);
    }
    return decide(slot, check);
  });
}
