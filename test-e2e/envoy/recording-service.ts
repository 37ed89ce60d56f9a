import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GrpcObject,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceClientConstructor,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { loadProto } from './plain-client.ts';

/** A fake service with its certificate: it answers health checks and records ratelimit's checks. */
export interface RecordingService {
  readonly address: string;
  readonly calls: readonly Call[];
  serving: boolean;
  /** Whether it answers ratelimit's checks. */
  answering: boolean;
  close(): void;
}

type Call = ServerUnaryCall<unknown, unknown>;

export async function startRecordingService(folder: string, name: string): Promise<RecordingService> {
  const calls: Call[] = [];
  const server = new Server();
  const service = { address: '', calls, serving: true, answering: true, close: () => server.forceShutdown() };
  server.addService(serviceIn(loadProto('grpc/health/v1/health.proto'), 'grpc.health.v1.Health'), {
    Check: (_: Call, reply: sendUnaryData<unknown>) =>
      reply(null, { status: service.serving ? 'SERVING' : 'NOT_SERVING' }),
  });
  server.addService(
    serviceIn(loadProto('gatehouse/ratelimit/v1/ratelimit.proto'), 'gatehouse.ratelimit.v1.RatelimitService'),
    {
      Check: (call: Call, reply: sendUnaryData<unknown>) => {
        calls.push(call);
        if (service.answering) reply(null, {});
      },
    },
  );
  const file = (one: string) => readFileSync(join(folder, one));
  const pair = { private_key: file(`${name}-key.pem`), cert_chain: file(`${name}.pem`) };
  const port = await new Promise<number>((resolve, reject) => {
    const via = ServerCredentials.createSsl(file('ca.pem'), [pair], true);
    server.bindAsync('127.0.0.1:0', via, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return Object.assign(service, { address: `127.0.0.1:${port}` });
}

function serviceIn(loaded: GrpcObject, name: string): ServiceClientConstructor['service'] {
  const found = name.split('.').reduce<unknown>((place, part) => (place as GrpcObject)[part], loaded);
  return (found as ServiceClientConstructor).service;
}
