import type { Delivery } from './webhook.ts';

/** The deliveries that one request returns at most. */
export const PAGE = 25;

/** The deliveries that the page shows, the newest first. */
export interface DeliveryList {
  readonly deliveries: readonly Delivery[];
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
}

export function firstPage(deliveries: readonly Delivery[]): DeliveryList {
  return { deliveries, hasMore: deliveries.length === PAGE };
}

export function withNextPage({ deliveries }: DeliveryList, next: readonly Delivery[]): DeliveryList {
  return { deliveries: [...deliveries, ...next], hasMore: next.length === PAGE };
}

/**
 * Adds the newest deliveries. Those that are shown already stay, and with them what their rows say, unless deliveries
 * between the two are missing.
 */
export function withNewest(shown: DeliveryList | undefined, newest: readonly Delivery[]): DeliveryList {
  const ids = new Set(newest.map(({ id }) => id));
  const isGapless = newest.length < PAGE || shown?.deliveries.some(({ id }) => ids.has(id)) === true;
  if (shown === undefined || !isGapless) return firstPage(newest);
  const older = shown.deliveries.filter(({ id }) => !ids.has(id));
  return { deliveries: [...newest, ...older], hasMore: shown.hasMore };
}
