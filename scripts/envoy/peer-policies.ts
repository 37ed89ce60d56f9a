import { CALLS, PEERS, type PeerName, peerRules, THE_OTHERS } from '@gatehouse/proto/peers';

/** The name that Envoy has where it passes calls on. */
const ITSELF: PeerName = 'envoy-internal';
/** Where the policies stand in a configuration of Envoy: between these lines. */
const BLOCK = /^( *)# begin: npm run generate writes this, from proto\/peers\.ts\n(?:.*\n)*?\1# end\n/m;

/**
 * The configuration with the policies that proto/peers.ts asks for: who may call what through Envoy.
 *
 * @throws Error where the lines are missing between which they stand
 */
export function withPeerPolicies(configuration: string): string {
  const [, indent] = BLOCK.exec(configuration) ?? [];
  if (indent === undefined) throw new Error('the configuration lacks the lines between which policies stand');
  const policies = PEERS.filter((peer) => peer !== ITSELF).flatMap((peer) =>
    policyOf(peer, callsThroughEnvoy(peer)),
  );
  const lines = ['# begin: npm run generate writes this, from proto/peers.ts', ...policies, '# end'];
  return configuration.replace(BLOCK, () => lines.map((line) => `${indent}${line}\n`).join(''));
}

/**
 * The paths of the RPCs that a peer may call at a service both by itself and through Envoy. A call through Envoy comes to
 * the service with Envoy's certificate, so the service allows what it allows Envoy, and never believes it about a caller.
 */
function callsThroughEnvoy(peer: PeerName): string[] {
  return CALLS.filter(({ from, names_caller }) => from === peer && !names_caller).flatMap(
    ({ to, service, rpcs }) => {
      const paths = rpcs === THE_OTHERS ? [] : rpcs.map((rpc) => `/${service}/${rpc}`);
      return paths.filter((path) => peerRules(to).allows(ITSELF, path));
    },
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
