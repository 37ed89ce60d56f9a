import { ALL_OTHERS } from './service.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from './services.ts';

/** Peers that are not services: command-line tools, Envoy at the edge and inside, other services of the platform. */
const OTHER_PEERS = ['operator', 'envoy', 'envoy-internal', 'platform'] as const;

/** Every name that has a certificate. */
export type PeerName = ServiceName | (typeof OTHER_PEERS)[number];
export const PEERS: readonly PeerName[] = [...SERVICE_NAMES, ...OTHER_PEERS];

/** Calls that one peer may make to one service. */
export interface AllowedCalls {
  readonly from: PeerName;
  readonly to: ServiceName;
  /** The contract's full name. */
  readonly service: string;
  readonly rpcs: readonly string[] | typeof ALL_OTHERS;
  readonly for: string;
  /** Whether the server accepts the caller that these calls name; otherwise they are anonymous. */
  readonly names_caller: boolean;
}

/** Every call between processes, from the manifest. Over mutual TLS any other call is denied. */
export const CALLS: readonly AllowedCalls[] = SERVICE_NAMES.flatMap((to) =>
  SERVICES[to].contracts.flatMap(({ name, callers }) =>
    callers.map((row) => ({ ...row, to, service: name, names_caller: 'names_caller' in row })),
  ),
);

/** The calls that a server accepts from its peers, by the names in their certificates. */
export interface PeerRules {
  /** Whether a peer may call the method with this path, "/package.Service/Method". */
  allows(peer: string, path: string): boolean;
  /** Whether the peer may name the caller in calls of that method. */
  mayNameCaller(peer: string, path: string): boolean;
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
    mayNameCaller: (peer, path) => rowOf(peer, path)?.names_caller === true,
  };
}

/** The paths of the RPCs that a row names. */
export function pathsNamed({ service, rpcs }: AllowedCalls): string[] {
  return rpcs === ALL_OTHERS ? [] : rpcs.map((rpc) => `/${service}/${rpc}`);
}
