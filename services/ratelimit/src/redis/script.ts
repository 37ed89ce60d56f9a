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
 * Runs a script by its hash. A server that does not have it (after a restart or a flush, or another node) says so
 * before it runs anything, and then gets the whole text. Replies are Buffers.
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
