/**
 * Frees the memory of bytes at once; other views of it become empty. As garbage, long bodies would stay until V8 has
 * gathered 64 MiB of them, in each thread, and would count against no budget.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
