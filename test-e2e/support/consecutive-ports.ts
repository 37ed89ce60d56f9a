import { freePort } from '@gatehouse/dev-env/free-port';

/** Returns the first of `count` consecutive free ports. */
export async function consecutivePorts(count: number): Promise<number> {
  let first = await freePort();
  for (let last = first; last - first + 1 < count; ) {
    const next = await freePort();
    if (next !== last + 1) first = next;
    last = next;
  }
  return first;
}
