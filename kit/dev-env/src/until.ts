import { setTimeout as delay } from 'node:timers/promises';

/** Polls every 50 ms until `ask` returns a value. @throws Error after `timeout_ms` */
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
