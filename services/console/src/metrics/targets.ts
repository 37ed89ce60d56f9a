import { knownAddresses } from '../known-addresses.ts';

/** Where the processes of a service serve their metrics. */
export interface MetricsTarget {
  readonly service: string;
  /** host:port. A name stands for all its addresses. */
  readonly address: string;
}

/** The metrics of one process. */
export interface MetricsAddress {
  readonly service: string;
  /** host:port */
  readonly address: string;
}

/** More processes than that are not read. */
const MAX_PROCESSES = 200;

/** Makes a function that resolves the targets to the addresses of processes. */
export function metricsAddresses(
  targets: readonly MetricsTarget[],
): () => Promise<readonly MetricsAddress[]> {
  const resolvers = targets.map(({ service, address }) => ({ service, resolve: knownAddresses(address) }));
  return async () => {
    const lists = await Promise.all(
      resolvers.map(async ({ service, resolve }) =>
        (await resolve()).map((address) => ({ service, address })),
      ),
    );
    return lists.flat().slice(0, MAX_PROCESSES);
  };
}
