import { CALLS, PEERS, type PeerName, pathsNamed, peerRules } from '@gatehouse/proto/peers';
import { withBlock } from './block.ts';

/** The certificate's name of Envoy's internal listener. */
const INTERNAL_ENVOY: PeerName = 'envoy-internal';

/** deploy/envoy/internal.yaml with its policies: the RPCs that each peer may call through Envoy. */
export function withPeerPolicies(configuration: string): string {
  const policies = PEERS.filter((peer) => peer !== INTERNAL_ENVOY).flatMap((peer) =>
    policyOf(peer, pathsThroughEnvoy(peer)),
  );
  return withBlock(configuration, 'policies', `${policies.join('\n')}\n`);
}

/**
 * The paths of the RPCs that a peer may call at a service both by itself and through Envoy. A call through Envoy comes to
 * the service with Envoy's certificate, so the service allows what it allows Envoy, and never believes it about a caller.
 */
function pathsThroughEnvoy(peer: PeerName): string[] {
  return CALLS.filter(({ from, names_caller }) => from === peer && !names_caller).flatMap((row) =>
    pathsNamed(row).filter((path) => peerRules(row.to).allows(INTERNAL_ENVOY, path)),
  );
}

function policyOf(peer: PeerName, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `${peer}:`,
    '  principals:',
    '    - authenticated:',
    // As services read names: the first label of a DNS name.
    `        principal_name: { safe_regex: { regex: '${peer}(\\..+)?' } }`,
    '  permissions:',
    ...paths.flatMap((path) => ['    - url_path:', '        path:', `          exact: ${path}`]),
  ];
}
