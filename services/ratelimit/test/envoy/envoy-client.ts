import { protoRoot } from '@gatehouse/proto/schema';
import {
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

export interface Descriptor {
  entries: { key: string; value: string }[];
  limit?: { requests_per_unit: number; unit: string; unit_multiplier?: { value: number } };
  hits_addend?: { value: number | string };
  is_negative_hits?: boolean;
}

export interface DescriptorStatus {
  code: string;
  current_limit: {
    name: string;
    requests_per_unit: number;
    unit: string;
    unit_multiplier: { value: number } | null;
  } | null;
  limit_remaining: number;
  duration_until_reset: { seconds: string; nanos: number } | null;
}

export interface Answer {
  overall_code: string;
  statuses: DescriptorStatus[];
  response_headers_to_add: { key: string; value: string }[];
  raw_body: Buffer;
  dynamic_metadata: { fields: Record<string, unknown> } | null;
}

export interface EnvoyClient {
  /** One ShouldRateLimit; `hits_addend` is the request's. */
  ask(descriptors: Descriptor[], hits_addend?: number): Promise<Answer>;
  close(): void;
}

/** An ordinary client of Envoy's protocol: grpc-js and the .proto files, without the kit. */
export function envoyClient(address: string, domain = 'anything'): EnvoyClient {
  const loaded = loadPackageDefinition(
    loadSync('envoy/service/ratelimit/v3/rls.proto', {
      includeDirs: [protoRoot],
      keepCase: true,
      longs: String,
      enums: String,
      defaults: true,
    }),
  ) as unknown as {
    envoy: { service: { ratelimit: { v3: { RateLimitService: ServiceClientConstructor } } } };
  };
  const client = new loaded.envoy.service.ratelimit.v3.RateLimitService(
    address,
    credentials.createInsecure(),
  );
  return {
    ask: (descriptors, hits_addend = 0) =>
      new Promise((resolve, reject) => {
        const request = { domain, descriptors, hits_addend };
        client.ShouldRateLimit?.(request, (error: ServiceError | null, answer: Answer) => {
          if (error === null) resolve(answer);
          else reject(error);
        });
      }),
    close: () => client.close(),
  };
}

/** A descriptor: a bucket's name and the other entries. */
export function descriptor(
  bucket: string,
  entries: readonly (readonly [key: string, value: string])[],
  more: Omit<Descriptor, 'entries'> = {},
): Descriptor {
  const all = [['bucket', bucket] as const, ...entries];
  return { entries: all.map(([key, value]) => ({ key, value })), ...more };
}

export const webhook = (id: string, more: Omit<Descriptor, 'entries'> = {}) =>
  descriptor('webhook:execute', [['webhook', `webhook:${id}`]], more);
export const global = (client: string) => descriptor('global', [['client', client]]);
export const hits = (value: number | string) => ({ hits_addend: { value } });
export const refund = (value: number | string) => ({ hits_addend: { value }, is_negative_hits: true });
