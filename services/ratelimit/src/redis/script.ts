import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** A script of this folder. */
export function script(file: string): Script {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * Runs a script by its hash. A server without the script (a new one, or after a restart or a flush) replies NOSCRIPT and
 * changes nothing; then the script is sent. Replies are Buffers.
 */
export async function runScript(
  client: Redis | Cluster,
  { text, sha }: Script,
  keys: readonly string[],
  args: readonly Buffer[],
): Promise<unknown> {
  try {
    return await client.callBuffer('evalsha', sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.callBuffer('eval', text, keys.length, ...keys, ...args);
  }
}
