import { HealthDefinition, HealthCheckResponse_ServingStatus as Serving } from '@gatehouse/proto/grpc/health';
import type {
  MethodDefinition as GrpcMethod,
  Server,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
} from '@grpc/grpc-js';
import { Status } from '../fault.ts';
import { type MethodDefinition, methodPath, type RequestOf, type ResponseOf } from './definition.ts';

type Methods = (typeof HealthDefinition)['methods'];
type Request = RequestOf<Methods['check']>;
type Response = ResponseOf<Methods['check']>;
type ListRequest = RequestOf<Methods['list']>;
type ListResponse = ResponseOf<Methods['list']>;

/** Serves grpc.health.v1. These services, and the whole server under '', are SERVING until `stop`. */
export function addHealth(server: Server, services: readonly string[]): { stop(): void } {
  const served = new Set(['', ...services]);
  const watches = new Set<ServerWritableStream<Request, Response>>();
  let status: Serving = Serving.SERVING;

  server.addService(
    {
      check: grpcMethod(HealthDefinition.methods.check),
      watch: grpcMethod(HealthDefinition.methods.watch),
      list: grpcMethod(HealthDefinition.methods.list),
    },
    {
      check: ({ request }: ServerUnaryCall<Request, Response>, reply: sendUnaryData<Response>) => {
        if (served.has(request.service)) reply(null, { status });
        else reply({ code: Status.NOT_FOUND, details: 'no such service' });
      },
      watch: (watch: ServerWritableStream<Request, Response>) => {
        watches.add(watch);
        watch.on('close', () => watches.delete(watch));
        watch.write({ status: served.has(watch.request.service) ? status : Serving.SERVICE_UNKNOWN });
      },
      list: (_: ServerUnaryCall<ListRequest, ListResponse>, reply: sendUnaryData<ListResponse>) => {
        reply(null, { statuses: Object.fromEntries([...served].map((service) => [service, { status }])) });
      },
    },
  );

  return {
    stop: () => {
      status = Serving.NOT_SERVING;
      for (const watch of watches) {
        if (served.has(watch.request.service)) watch.write({ status });
        watches.delete(watch);
        watch.end(); // an open watch would delay the server's shutdown
      }
    },
  };
}

function grpcMethod(method: MethodDefinition): GrpcMethod<unknown, unknown> {
  const { requestType, responseType, requestStream, responseStream } = method;
  const bytes = (encoded: { finish(): Uint8Array }): Buffer => Buffer.from(encoded.finish());
  return {
    path: methodPath(HealthDefinition, method),
    requestStream,
    responseStream,
    requestSerialize: (message) => bytes(requestType.encode(message)),
    requestDeserialize: (encoded) => requestType.decode(encoded),
    responseSerialize: (message) => bytes(responseType.encode(message)),
    responseDeserialize: (encoded) => responseType.decode(encoded),
  };
}
