/** What the edge uses of the kit's RPC, but for what makes its answers leave together. */
export * from '@gatehouse/kit/rpc';

export function whenGathered(last: () => void): void {
  last();
}
