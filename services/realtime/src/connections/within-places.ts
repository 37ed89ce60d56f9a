import type { Bounds } from '../config.ts';
import { SETTINGS, type Settings } from './settings.ts';

/**
 * As many connections as there are descriptors for: a quarter of them at most for handshakes, which come first. Where
 * that is less than is set, one address gets half of it at most.
 *
 * @param places how many connections of clients the process may have
 */
export function withinPlaces(
  bounds: Bounds,
  places: number,
): { readonly bounds: Bounds; readonly settings: Pick<Settings, 'max_handshakes'> } {
  const max_handshakes = Math.min(SETTINGS.max_handshakes, Math.ceil(places / 4));
  const most = Math.max(places - max_handshakes, 1);
  const settings = { max_handshakes };
  if (most >= bounds.max_connections) return { bounds, settings };
  const each = Math.min(bounds.max_connections_per_address, Math.ceil(most / 2));
  return { bounds: { ...bounds, max_connections: most, max_connections_per_address: each }, settings };
}
