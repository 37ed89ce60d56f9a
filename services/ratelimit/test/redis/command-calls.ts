import type { Redis } from 'ioredis';

/** The number of times that a server has run a command since its start, including in scripts. */
export async function commandCalls(client: Redis, command: string): Promise<number> {
  const text = await client.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=([0-9]+)`).exec(text)?.[1] ?? 0);
}
