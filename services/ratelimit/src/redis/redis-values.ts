import type { Cluster, Redis } from 'ioredis';
import type { SharedValues, Swap } from '../overrides/shared-values.ts';
import { runScript, script } from './script.ts';

const READ = script('./read.lua');
const SWAP = script('./swap.lua');
const NOTHING = Buffer.alloc(0);

/**
 * Values that all replicas share. In a cluster they are in one slot. No bucket has such a key: in keys of buckets "~" after the
 * braces is followed by the mark of a kind.
 */
export function redisValues(client: Redis | Cluster): SharedValues {
  return {
    read: async (names) => {
      const reply = await runScript(client, READ, names.map(keyOf), []);
      const [seconds, micros, values] = reply as [Buffer, Buffer, (Buffer | null)[]]; // as in read.lua
      return { at_us: Number(seconds) * 1e6 + Number(micros), values };
    },
    swap: async (swap) => {
      const { keys, args } = commandOf(swap);
      return Number(await runScript(client, SWAP, keys, args)) === 1;
    },
  };
}

function commandOf({ guard, expected, next, also }: Swap): { keys: string[]; args: Buffer[] } {
  const keys = [keyOf(guard)];
  const args = [expected ?? NOTHING, next.bytes, textOf(next.expires_at_ms)];
  if (also !== undefined) {
    keys.push(keyOf(also.name));
    args.push(also.value?.bytes ?? NOTHING, textOf(also.value?.expires_at_ms ?? 0));
  }
  return { keys, args };
}

function keyOf(name: string): string {
  return `rl:{overrides}~o:${name}`;
}

function textOf(expires_at_ms: number): Buffer {
  return Buffer.from(String(Math.ceil(expires_at_ms)));
}
