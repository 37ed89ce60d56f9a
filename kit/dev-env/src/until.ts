import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is there, every 50 ms; an error when it has not come in `timeout_ms`. */
export async function until<T>(
  what: string,
  timeout_ms: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = Date.now() + timeout_ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${timeout_ms} ms`);
    await delay(50);
  }
}
