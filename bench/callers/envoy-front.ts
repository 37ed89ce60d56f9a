import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { until } from '@gatehouse/dev-env/until';
import { ENVOY_DOMAIN, LIMITS } from '../all/peers/envoy-limits.ts';
import type { Fixture } from '../parts/fixture.ts';

export interface EnvoyFrontOptions {
  readonly program: string;
  /** host:port of the backend. */
  readonly upstream: string;
  /** host:port of the rate limit service; undefined: no limits. */
  readonly ratelimit: string | undefined;
}

const READY_WITHIN_MS = 15_000;
const FILTERS = 'type.googleapis.com/envoy.extensions.filters';

/** Starts an Envoy that asks the rate limit service about each request. Returns host:port. */
export async function startEnvoyFront(fixture: Fixture, options: EnvoyFrontOptions): Promise<string> {
  const port = await freePort();
  const file = join(fixture.folder, `envoy-${port}.json`);
  await writeFile(file, JSON.stringify(bootstrap(port, options)));
  const flags = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'];
  const child = spawn(...dieWithParent('KILL', options.program, flags), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fixture.resources.add('envoy', () => void child.kill('SIGKILL'));
  await until('Envoy answers', READY_WITHIN_MS, () =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => undefined,
    ),
  );
  return `127.0.0.1:${port}`;
}

function bootstrap(port: number, { upstream, ratelimit }: EnvoyFrontOptions): object {
  const filters = ratelimit === undefined ? [router()] : [ratelimitFilter(), router()];
  const manager = {
    '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'bench',
    http_filters: filters,
    route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes: [route()] }] },
  };
  const chain = {
    filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }],
  };
  const listener = { address: socket(`127.0.0.1:${port}`), filter_chains: [chain] };
  const clusters = [cluster('upstream', upstream)];
  if (ratelimit !== undefined) clusters.push({ ...cluster('ratelimit', ratelimit), ...HTTP2 });
  return { static_resources: { listeners: [listener], clusters } };
}

/** A descriptor for each limit, with the identity from a header of the request. */
function route(): object {
  const rate_limits = LIMITS.map(({ bucket, key }) => ({
    actions: [
      { generic_key: { descriptor_key: 'bucket', descriptor_value: bucket } },
      { request_headers: { header_name: `x-${key}`, descriptor_key: key } },
    ],
  }));
  return { match: { prefix: '/' }, route: { cluster: 'upstream', rate_limits } };
}

function ratelimitFilter(): object {
  return {
    name: 'envoy.filters.http.ratelimit',
    typed_config: {
      '@type': `${FILTERS}.http.ratelimit.v3.RateLimit`,
      domain: ENVOY_DOMAIN,
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

const HTTP2 = {
  typed_extension_protocol_options: {
    'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
      '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
      explicit_http_config: { http2_protocol_options: {} },
    },
  },
};

function cluster(name: string, address: string): object {
  const endpoint = { endpoint: { address: socket(address) } };
  return { name, load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [endpoint] }] } };
}

function socket(address: string): object {
  const [host, port] = address.split(':');
  return { socket_address: { address: host, port_value: Number(port) } };
}
