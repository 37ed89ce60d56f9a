/** Hashed characters at each end of a key: enough for a kind and an ID, as in "account:1423344334333440001". */
const END_LENGTH = 32;

/**
 * FNV-1a over both ends of a key, since keys may differ in their first identity only, or in their last. It only selects a
 * shard: the maps compare whole keys.
 */
export function keyHash(key: string, seed: number): number {
  let hash = seed;
  const rest = Math.max(END_LENGTH, key.length - END_LENGTH);
  for (let i = 0; i < key.length; i = i === END_LENGTH - 1 ? rest : i + 1) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fff_ffff; // the engine keeps it as a small integer
}
