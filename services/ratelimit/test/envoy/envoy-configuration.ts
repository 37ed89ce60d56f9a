/** The charges of a route, in the terms of Envoy's own configuration. */
export type Route = BucketRoute | DescriptorRoute;

/** A bucket of the reference. */
interface BucketRoute {
  readonly bucket: string;
  readonly hits_addend?: { readonly number: number; readonly is_negative_hits?: boolean };
}

/** Descriptors, each with its keys and values. */
interface DescriptorRoute {
  readonly descriptors: readonly Readonly<Record<string, string | null>>[];
  /** They bring the limit of the metadata, OVERRIDE. */
  readonly override?: boolean;
}

/** In place of the value of an entry: the header x-webhook. */
export const HEADER = null;
/** The limit that a filter sets for every request, as an authorization service would. */
const OVERRIDE = { requests_per_unit: 2, unit: 'HOUR' };
const METADATA = 'test.limits';

const FILTERS = 'type.googleapis.com/envoy.extensions.filters';

/** A bootstrap of Envoy: each route asks the rate limit service, keyed by the header x-webhook, then `upstream`. */
export function envoyConfiguration(
  port: number,
  ratelimit_address: string,
  upstream_address: string,
  routes: Readonly<Record<string, Route>>,
  domain: string,
): object {
  const filters = [http(routes, domain)];
  return {
    static_resources: {
      listeners: [{ address: socket(`127.0.0.1:${port}`), filter_chains: [{ filters }] }],
      clusters: [
        { name: 'upstream', load_assignment: loadAssignment('upstream', upstream_address) },
        ratelimitCluster(ratelimit_address),
      ],
    },
  };
}

function http(routes: Readonly<Record<string, Route>>, domain: string): object {
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
      stat_prefix: 'test',
      http_filters: [metadataFilter(), ratelimitFilter(domain), router()],
      route_config: {
        virtual_hosts: [
          {
            name: 'all',
            domains: ['*'],
            routes: Object.entries(routes).map(([name, route]) => routeOf(name, route)),
          },
        ],
      },
    },
  };
}

function metadataFilter(): object {
  return {
    name: 'envoy.filters.http.set_metadata',
    typed_config: {
      '@type': `${FILTERS}.http.set_metadata.v3.Config`,
      metadata: [{ metadata_namespace: METADATA, value: { override: OVERRIDE } }],
    },
  };
}

function ratelimitFilter(domain: string): object {
  return {
    name: 'envoy.filters.http.ratelimit',
    typed_config: {
      '@type': `${FILTERS}.http.ratelimit.v3.RateLimit`,
      domain,
      failure_mode_deny: true,
      timeout: '5s',
      rate_limit_service: {
        grpc_service: { envoy_grpc: { cluster_name: 'ratelimit' } },
        transport_api_version: 'V3',
      },
    },
  };
}

function router(): object {
  return {
    name: 'envoy.filters.http.router',
    typed_config: { '@type': `${FILTERS}.http.router.v3.Router` },
  };
}

function routeOf(name: string, route: Route): object {
  const match = { path: `/${name}` };
  if ('descriptors' in route)
    return { match, route: { cluster: 'upstream', rate_limits: rateLimits(route) } };
  const { bucket, hits_addend } = route;
  const actions = [
    { generic_key: { descriptor_key: 'bucket', descriptor_value: bucket } },
    { request_headers: { header_name: 'x-webhook', descriptor_key: 'webhook' } },
  ];
  return {
    match,
    route: { cluster: 'upstream' },
    typed_per_filter_config: {
      'envoy.filters.http.ratelimit': {
        '@type': `${FILTERS}.http.ratelimit.v3.RateLimitPerRoute`,
        rate_limits: [{ actions, ...(hits_addend && { hits_addend }) }],
      },
    },
  };
}

function rateLimits({ descriptors, override }: DescriptorRoute): object[] {
  const limit = { dynamic_metadata: { metadata_key: { key: METADATA, path: [{ key: 'override' }] } } };
  return descriptors.map((entries) => ({
    actions: Object.entries(entries).map(([descriptor_key, value]) =>
      typeof value === 'string'
        ? { generic_key: { descriptor_key, descriptor_value: value } }
        : { request_headers: { header_name: 'x-webhook', descriptor_key } },
    ),
    ...(override && { limit }),
  }));
}

function ratelimitCluster(address: string): object {
  return {
    name: 'ratelimit',
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
        explicit_http_config: { http2_protocol_options: {} },
      },
    },
    load_assignment: loadAssignment('ratelimit', address),
  };
}

function loadAssignment(cluster_name: string, address: string): object {
  return { cluster_name, endpoints: [{ lb_endpoints: [{ endpoint: { address: socket(address) } }] }] };
}

function socket(address: string): object {
  const [host, port] = address.split(':');
  return { socket_address: { address: host, port_value: Number(port) } };
}
