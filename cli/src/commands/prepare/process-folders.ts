import type { PeerName } from '@gatehouse/proto/peers';
import { SERVICE_NAMES } from '@gatehouse/proto/services';

/** The folder of a process that runs all services. */
export const RUNNER = 'runner';

/** The folder of a peer's process. */
export function processFolder(peer: PeerName, isShared: boolean): string {
  return isShared && SERVICE_NAMES.some((name) => name === peer) ? RUNNER : peer;
}
