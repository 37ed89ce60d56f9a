import type { Reply } from '../support/api.ts';

export interface Burst {
  replies: Reply[];
  /** From the start to the last response. */
  seconds: number;
}

/** Sends `count` requests at once. */
export async function burst(count: number, send: (n: number) => Promise<Reply>): Promise<Burst> {
  const start = performance.now();
  const replies = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  return { replies, seconds: (performance.now() - start) / 1000 };
}
