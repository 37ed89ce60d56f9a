import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const OPTIONS = { includeDirs: [protoRoot], keepCase: true, longs: Number, defaults: true };

/** A .proto file's services, loaded with grpc-js's own loader. */
export function loadProto(file: string): GrpcObject {
  return loadPackageDefinition(loadSync(file, OPTIONS));
}

/** The certificate of `name` in this folder. Undefined: no certificate, but the folder's authority is trusted. */
export function certificateOf(folder: string, name: string | undefined): ChannelCredentials {
  const file = (one: string) => readFileSync(join(folder, one));
  return name === undefined
    ? credentials.createSsl(file('ca.pem'))
    : credentials.createSsl(file('ca.pem'), file(`${name}-key.pem`), file(`${name}.pem`));
}

export interface PlainClient {
  /** Calls "/package.Service/Method" with bytes. Rejects with grpc-js's error. */
  call(
    path: string,
    request: Uint8Array,
    options?: { metadata?: Metadata; timeout_ms?: number },
  ): Promise<Buffer>;
  /** Opens a stream in both directions, without a deadline. */
  open(path: string): ClientDuplexStream<Buffer, Buffer>;
  close(): void;
}

/** A client of plain grpc-js, without the kit: it picks the first address and stays with it. */
export function plainClient(address: string, via: ChannelCredentials, server: string): PlainClient {
  const client = new Client(address, via, { 'grpc.ssl_target_name_override': server });
  const bytes = (one: unknown) => one as Buffer; // raw bytes
  return {
    call: (path, request, { metadata, timeout_ms = 20_000 } = {}) =>
      new Promise((resolve, reject) => {
        const done = (error: ServiceError | null, answer?: Buffer) =>
          error === null ? resolve(answer ?? Buffer.alloc(0)) : reject(error);
        const options = { deadline: Date.now() + timeout_ms };
        const whole = Buffer.from(request);
        if (metadata === undefined) client.makeUnaryRequest(path, bytes, bytes, whole, options, done);
        else client.makeUnaryRequest(path, bytes, bytes, whole, metadata, options, done);
      }),
    open: (path) => client.makeBidiStreamRequest(path, bytes, bytes),
    close: () => client.close(),
  };
}
