import type { JobsServiceDefinition } from './gen/kit/v1/jobs.ts';
import type { PeerRules } from './kit/peer-rules.ts';
import { ALL_OTHERS } from './service.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from './services.ts';

/**
 * Peers that are not services: command-line tools, operators who act on accounts and limits, Envoy at the edge and
 * inside, other services of the platform.
 */
const OTHER_PEERS = ['operator', 'admin', 'envoy', 'envoy-internal', 'platform'] as const;

/** Every name that has a certificate. */
export type PeerName = ServiceName | (typeof OTHER_PEERS)[number];
export const PEERS: readonly PeerName[] = [...SERVICE_NAMES, ...OTHER_PEERS];

/** The peers that look at the jobs of every service. */
const OPERATING_PEERS: readonly PeerName[] = ['admin', 'console'];

/** Calls that one peer may make to one service. */
export interface AllowedCalls {
  readonly from: PeerName;
  readonly to: ServiceName;
  /** The contract's full name. */
  readonly service: string;
  readonly rpcs: readonly string[] | typeof ALL_OTHERS;
  readonly for: string;
  /** Whether these calls are made on behalf of callers; otherwise they are anonymous. */
  readonly acts_for_callers: boolean;
}

/** Every call between processes, from the manifest. Over mutual TLS any other call is denied. */
export const CALLS: readonly AllowedCalls[] = SERVICE_NAMES.flatMap((to) => [
  ...SERVICES[to].contracts.flatMap(({ name, callers }) =>
    callers.map((row) => ({ ...row, to, service: name, acts_for_callers: 'acts_for_callers' in row })),
  ),
  ...('grpc' in SERVICES[to].ports
    ? OPERATING_PEERS.filter((from) => from !== to).map((from) => jobsCalls(from, to))
    : []),
]);

function jobsCalls(from: PeerName, to: ServiceName): AllowedCalls {
  return {
    from,
    to,
    service: 'kit.v1.JobsService' satisfies (typeof JobsServiceDefinition)['fullName'],
    rpcs: ALL_OTHERS,
    for: 'background jobs',
    acts_for_callers: false,
  };
}

export function peerRules(server: ServiceName): PeerRules {
  const rows = CALLS.filter(({ to }) => to === server);
  const named = new Set(rows.flatMap(pathsNamed));
  const rowOf = (peer: string, path: string): AllowedCalls | undefined =>
    rows.find((row) => {
      if (row.from !== peer) return false;
      if (row.rpcs === ALL_OTHERS) return path.startsWith(`/${row.service}/`) && !named.has(path);
      return pathsNamed(row).includes(path);
    });
  return {
    allows: (peer, path) => rowOf(peer, path) !== undefined,
    mayActForCallers: (peer, path) => rowOf(peer, path)?.acts_for_callers === true,
  };
}

/** The paths of the RPCs that a row names. */
export function pathsNamed({ service, rpcs }: AllowedCalls): string[] {
  return rpcs === ALL_OTHERS ? [] : rpcs.map((rpc) => `/${service}/${rpc}`);
}
