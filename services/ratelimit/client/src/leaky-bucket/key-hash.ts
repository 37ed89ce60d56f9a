/** Hashed characters of each end of a key: a kind and an ID, as in "account:1423344334333440001". */
const END = 32;

/**
 * FNV-1a over both ends of a key: of several identities, only the first may differ, as in one channel, or only the last.
 * It only spreads: the maps compare whole keys.
 */
export function keyHash(key: string, seed: number): number {
  let hash = seed;
  const rest = Math.max(END, key.length - END);
  for (let i = 0; i < key.length; i = i === END - 1 ? rest : i + 1) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fff_ffff; // the engine keeps it as a small integer
}
