import { freePort } from '@gatehouse/dev-env/free-port';
import { envoyProgram } from '@gatehouse/dev-env/programs/envoy-program';
import { startServer } from '@gatehouse/dev-env/programs/third-party-server';

const program = await envoyProgram();

/** For describe.skipIf. */
export const envoyIsMissing = program === undefined;

export interface Front {
  /** The URL for requests to the edge. */
  readonly url: string;
  /** host:port of its admin interface. */
  readonly admin: string;
  close(): Promise<void>;
}

/**
 * An Envoy in front of the edge and realtime, with the metric names of the deployed configuration.
 *
 * @param webSockets host:port of realtime's WebSocket listener
 */
export async function startFront(edge: URL, webSockets: string): Promise<Front> {
  if (program === undefined) throw new Error('Envoy is missing: see above');
  const port = await freePort();
  const adminPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const close = await startServer({
    program,
    configuration: configuration(port, adminPort, {
      gateway: Number(edge.port),
      realtime: Number(new URL(`http://${webSockets}`).port),
    }),
    flags: (file) => ['-c', file, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'],
    ready_url: `${url}/livez`,
  });
  return { url, admin: `127.0.0.1:${adminPort}`, close };
}

function configuration(port: number, adminPort: number, ports: { gateway: number; realtime: number }) {
  const manager = {
    '@type':
      'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'front',
    use_remote_address: true,
    route_config: {
      virtual_hosts: [
        {
          name: 'all',
          domains: ['*'],
          routes: [
            {
              match: { path: '/gateway' },
              route: { cluster: 'realtime', upgrade_configs: [{ upgrade_type: 'websocket' }] },
            },
            { match: { prefix: '/' }, route: { cluster: 'gateway' } },
          ],
        },
      ],
    },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
  return {
    admin: { address: at(adminPort) },
    static_resources: {
      listeners: [
        {
          name: 'front',
          address: at(port),
          filter_chains: [
            { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
          ],
        },
      ],
      clusters: Object.entries(ports).map(([name, upstream]) => ({
        name,
        type: 'STATIC',
        load_assignment: {
          cluster_name: name,
          endpoints: [{ lb_endpoints: [{ endpoint: { address: at(upstream) } }] }],
        },
      })),
    },
  };
}

function at(port_value: number) {
  return { socket_address: { address: '127.0.0.1', port_value } };
}
