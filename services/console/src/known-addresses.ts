import { addressResolver } from '@gatehouse/kit/net/resolve-addresses';

/**
 * Makes a function that resolves host names, as `addressResolver` does. Names that were never resolved stand for
 * themselves, so that a process whose name is away is shown, too.
 *
 * @param address host:port, or several separated by commas
 */
export function knownAddresses(address: string): () => Promise<readonly string[]> {
  const targets = address.split(',').map((target) => ({ target, resolve: addressResolver(target) }));
  return async () => {
    const lists = await Promise.all(
      targets.map(async ({ target, resolve }) => {
        const found = await resolve();
        return found.length > 0 ? found : [target.trim()];
      }),
    );
    return [...new Set(lists.flat())];
  };
}
