/** The charges of a route, in the terms of Envoy's own configuration. */
export interface Route {
  readonly bucket: string;
  readonly hits_addend?: { readonly number: number; readonly is_negative_hits?: boolean };
}

const FILTERS = 'type.googleapis.com/envoy.extensions.filters';

/** A bootstrap of Envoy: each route asks the rate limit service, keyed by the header x-webhook, then `upstream`. */
export function envoyConfiguration(
  port: number,
  ratelimit_address: string,
  upstream_address: string,
  routes: Readonly<Record<string, Route>>,
): object {
  return {
    static_resources: {
      listeners: [{ address: socket(`127.0.0.1:${port}`), filter_chains: [{ filters: [http(routes)] }] }],
      clusters: [
        { name: 'upstream', load_assignment: loadAssignment('upstream', upstream_address) },
        ratelimitCluster(ratelimit_address),
      ],
    },
  };
}

function http(routes: Readonly<Record<string, Route>>): object {
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
      stat_prefix: 'test',
      http_filters: [ratelimitFilter(), router()],
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

function ratelimitFilter(): object {
  return {
    name: 'envoy.filters.http.ratelimit',
    typed_config: {
      '@type': `${FILTERS}.http.ratelimit.v3.RateLimit`,
      domain: 'gatehouse',
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

function routeOf(name: string, { bucket, hits_addend }: Route): object {
  const actions = [
    { generic_key: { descriptor_key: 'bucket', descriptor_value: bucket } },
    { request_headers: { header_name: 'x-webhook', descriptor_key: 'webhook' } },
  ];
  return {
    match: { path: `/${name}` },
    route: { cluster: 'upstream' },
    typed_per_filter_config: {
      'envoy.filters.http.ratelimit': {
        '@type': `${FILTERS}.http.ratelimit.v3.RateLimitPerRoute`,
        rate_limits: [{ actions, ...(hits_addend && { hits_addend }) }],
      },
    },
  };
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
