/** The text form of a PostgreSQL array of hashes in hex. pg would first create a Buffer for each hash. */
export function byteaArray(hashes: readonly string[]): string {
  return `{${hashes.map((token_hash) => `"\\\\x${token_hash}"`).join(',')}}`;
}
