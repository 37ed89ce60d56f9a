/** A PostgreSQL array of hashes (hex) in its text form, because pg would first create a Buffer for each hash. */
export function byteaArray(hashes: readonly string[]): string {
  return `{${hashes.map((token_hash) => `"\\\\x${token_hash}"`).join(',')}}`;
}
