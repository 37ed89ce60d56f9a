/**
 * Gives the memory of bytes back at once; whoever still has a view of it finds it empty. As garbage, long bodies would
 * stay for as long as V8 lets 64 MiB of them gather, in each thread, and would count against no budget.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
