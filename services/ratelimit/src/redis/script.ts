import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** A script of this folder, perhaps with another one in place of its line "-- insert FILE". */
export function script(file: string, inserted?: string): Script {
  const main = readFileSync(new URL(file, import.meta.url), 'utf8');
  const text = inserted === undefined ? main : withPart(main, inserted);
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

function withPart(main: string, file: string): string {
  const part = readFileSync(new URL(file, import.meta.url), 'utf8');
  const text = main.replace(`-- insert ${file}\n`, () => part);
  if (text === main) throw new Error(`no line "-- insert ${file}"`);
  return text;
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
