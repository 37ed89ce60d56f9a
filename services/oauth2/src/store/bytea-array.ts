/** A PostgreSQL array of hashes (hex) in its text form, because pg would first create a Buffer for each hash. */
export function byteaArray(hashes: readonly (string | null)[]): string {
  return `{${hashes.map((hash) => (hash === null ? 'NULL' : `"\\\\x${hash}"`)).join(',')}}`;
}
