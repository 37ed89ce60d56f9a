import { CALLS, PEERS, type PeerName, pathsNamed, peerRules } from '@gatehouse/proto/peers';
import type { Contract } from '@gatehouse/proto/service';
import { SERVICE_NAMES, type ServiceName, serviceNamed } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { concatenate } from './text.ts';

/** The name in the certificate of Envoy's internal listener. */
const INTERNAL_ENVOY: PeerName = 'envoy-internal';

/** deploy/envoy/internal.yaml with the clusters of all services, the routes to them, and the calls that peers may make. */
export function withInternalServices(configuration: string): string {
  const policies = PEERS.filter((peer) => peer !== INTERNAL_ENVOY).flatMap((peer) =>
    policyOf(peer, pathsThroughEnvoy(peer)),
  );
  const texts = {
    policies: `${policies.join('\n')}\n`,
    routes: concatenate(FURTHER_SERVICES.flatMap((name) => serviceNamed(name).contracts.map(ROUTE(name)))),
    clusters: FURTHER_SERVICES.map(CLUSTER).join('\n'),
  };
  return Object.entries(texts).reduce((text, [block, lines]) => withBlock(text, block, lines), configuration);
}

/**
 * Services with RPCs for other peers than their own replicas, except ratelimit, whose route and cluster define the YAML
 * anchors.
 */
const FURTHER_SERVICES = SERVICE_NAMES.filter(
  (name) => name !== 'ratelimit' && CALLS.some(({ from, to }) => to === name && from !== name),
);

const ROUTE =
  (name: ServiceName) =>
  ({ name: contract }: Contract): string =>
    `\
- match: { prefix: /${contract}/ }
  route: { cluster: ${name}, timeout: 0s, max_stream_duration: *deadline }
`;

const CLUSTER = (name: ServiceName): string => `\
- name: ${name}
  type: STRICT_DNS
  dns_lookup_family: V4_PREFERRED
  connect_timeout: 1s
  lb_policy: LEAST_REQUEST
  common_lb_config: *only_healthy
  health_checks: *health
  outlier_detection: *outliers
  circuit_breakers: *bounds
  typed_extension_protocol_options: *http2
  load_assignment:
    cluster_name: ${name}
    endpoints:
      - lb_endpoints:
          - endpoint: { address: { socket_address: { address: ${name}, port_value: ${serviceNamed(name).ports.grpc} } } }
  transport_socket:
    name: envoy.transport_sockets.tls
    typed_config:
      "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
      sni: ${name}
      common_tls_context:
        tls_params: *versions
        alpn_protocols: [h2]
        tls_certificate_sds_secret_configs: *own_certificate
        combined_validation_context:
          validation_context_sds_secret_config: *authority
          default_validation_context:
            match_typed_subject_alt_names:
              [{ san_type: DNS, matcher: { safe_regex: { regex: '${name}(\\..+)?' } } }]
`;

/**
 * The paths of the RPCs that a peer may call both directly and through Envoy. A call through Envoy has Envoy's
 * certificate: the service applies Envoy's permissions, and ignores the caller that the peer sends.
 */
function pathsThroughEnvoy(peer: PeerName): string[] {
  return CALLS.filter(({ from, acts_for_callers }) => from === peer && !acts_for_callers).flatMap((row) =>
    pathsNamed(row).filter((path) => peerRules(row.to).allows(INTERNAL_ENVOY, path)),
  );
}

function policyOf(peer: PeerName, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `${peer}:`,
    '  principals:',
    '    - authenticated:',
    // The same rule as in services: the first label of a DNS name.
    `        principal_name: { safe_regex: { regex: '${peer}(\\..+)?' } }`,
    '  permissions:',
    ...paths.flatMap((path) => ['    - url_path:', '        path:', `          exact: ${path}`]),
  ];
}
