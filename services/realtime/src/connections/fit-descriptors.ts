import type { Bounds } from '../config.ts';
import { type ConnectionSettings, DEFAULT_SETTINGS } from './connection-settings.ts';

/**
 * Lowers the bounds to the file descriptors of the process. At most a quarter of them are reserved for handshakes. When
 * that leaves fewer connections than configured, one address gets at most half of them.
 *
 * @param descriptors file descriptors available for client connections
 */
export function fitDescriptors(
  bounds: Bounds,
  descriptors: number,
): { readonly bounds: Bounds; readonly settings: Pick<ConnectionSettings, 'max_handshakes'> } {
  const max_handshakes = Math.min(DEFAULT_SETTINGS.max_handshakes, Math.ceil(descriptors / 4));
  const max_connections = Math.max(descriptors - max_handshakes, 1);
  const settings = { max_handshakes };
  if (max_connections >= bounds.max_connections) return { bounds, settings };
  const perAddress = Math.min(bounds.max_connections_per_address, Math.ceil(max_connections / 2));
  return { bounds: { ...bounds, max_connections, max_connections_per_address: perAddress }, settings };
}
