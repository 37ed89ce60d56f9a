import { freePort } from '@gatehouse/dev-env/free-port';
import {
  type CheckRequest,
  type CheckResponse,
  type ListBucketsResponse,
  RatelimitServiceDefinition,
} from '@gatehouse/proto/ratelimit';
import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { grpcMethod } from '../../src/grpc/methods.ts';

const METHODS: ServiceDefinition = {
  checkStream: served(RatelimitServiceDefinition.methods.checkStream),
  listBuckets: served(RatelimitServiceDefinition.methods.listBuckets),
};

type Stream = ServerDuplexStream<CheckRequest, CheckResponse>;

/** A ratelimit of grpc-js that answers checks as a test says, and serves no rules. */
export class GrpcRatelimit {
  /** Every request of all streams. */
  readonly requests: CheckRequest[] = [];
  readonly streams: Stream[] = [];
  /** Admits by default. */
  onCheck = (request: CheckRequest, stream: Stream): void => {
    stream.write({ denial: null, degraded: false, tag: request.tag });
  };
  address = '';
  #server: Server | undefined;

  async start(credentials = ServerCredentials.createInsecure()): Promise<void> {
    // Nobody takes the port between a stop and another start.
    if (this.address === '') this.address = `127.0.0.1:${await freePort()}`;
    const server = new Server();
    server.addService(METHODS, {
      checkStream: (stream: Stream) => this.#serve(stream),
      listBuckets: (_: unknown, done: sendUnaryData<ListBucketsResponse>) =>
        done(null, { buckets: [], revision: 'a' }),
    });
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(this.address, credentials, (error) => (error ? reject(error) : resolve()));
    });
    this.#server = server;
  }

  stop(): void {
    this.#server?.forceShutdown();
  }

  #serve(stream: Stream): void {
    this.streams.push(stream);
    stream.on('data', (request: CheckRequest) => {
      this.requests.push(request);
      this.onCheck(request, stream);
    });
    stream.on('end', () => stream.end());
    stream.on('error', () => undefined);
  }
}

type Method<Request, Response> = Parameters<typeof grpcMethod<Request, Response>>[0] & {
  readonly requestStream: boolean;
  readonly responseStream: boolean;
};

/** A method in the form that a server of grpc-js registers. */
function served<Request, Response>(method: Method<Request, Response>): MethodDefinition<Request, Response> {
  const { requestStream, responseStream, requestType, responseType } = method;
  const { path, serialize, deserialize } = grpcMethod(method);
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: serialize,
    requestDeserialize: (bytes) => requestType.decode(bytes),
    responseSerialize: (response) => Buffer.from(responseType.encode(response).finish()),
    responseDeserialize: deserialize,
  };
}
