import { SERVICE_NAMES } from '@gatehouse/proto/services';

/**
 * CONSOLE_METRICS: the metrics of all processes, each found by the name of its service.
 *
 * @param portOf the port of the service with this index in the manifest
 */
export function metricsTargets(portOf: (index: number) => number): string {
  return SERVICE_NAMES.map((name, index) => `${name}=${name}:${portOf(index)}`).join();
}
