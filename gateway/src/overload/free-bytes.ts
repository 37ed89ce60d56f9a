/**
 * Frees the memory of bytes at once; other views of it become empty. V8 collects array buffers only after 64 MiB of them
 * per thread, and until then long bodies would take memory outside of every budget.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
