import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Connection } from '@gatehouse/kit/rpc';
import type { ServerName } from '@gatehouse/proto/services';
import type { RateLimits } from '@gatehouse/ratelimit-kit-client';
import type { LongJson } from './long-json/long-json.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName, type Services } from './service-definitions.ts';

/** The name of a service in the manifest and in its certificate. */
export function serverName(name: ServiceName): ServerName {
  return name === 'webhook_delivery' ? 'webhook-delivery' : name;
}

export type ServiceConnections = { readonly [S in ServiceName]: Connection<Services[S]> };

/** The pipeline's dependencies: the services, the client of rate limits, and the thread that reads long JSON. */
export type Connections = ServiceConnections & { readonly limits: RateLimits; readonly long_json: LongJson };

export function connectServices(
  addresses: Readonly<Record<ServiceName, string>>,
  runtime: Runtime,
): ServiceConnections {
  const connectTo = <S extends ServiceName>(name: S): Connection<Services[S]> =>
    runtime.connect<Services[S]>(SERVICES[name], serverName(name), addresses[name]);
  // The names and the definitions are those of one table, so each connection has its service's type.
  return Object.fromEntries(
    SERVICE_NAMES.map((name) => [name, connectTo(name)]),
  ) as unknown as ServiceConnections;
}
