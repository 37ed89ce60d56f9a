import { type ClientHttp2Stream, connect } from 'node:http2';
import { NullableString } from '@gatehouse/proto/kit/json';
import { Client, type ClientDuplexStream, credentials, type ServiceError } from '@grpc/grpc-js';
import { silentLogger } from '../../src/log.ts';
import type { ServeOptions } from '../../src/rpc/serve.ts';
import { type BidiResponses, type BidiSession, type Handlers, implement, serve } from '../../src/rpc.ts';
import { type EchoMessage, TalkDefinition } from './echo-definition.ts';
import { atEnd } from './echo-service.ts';
import { LOOPBACK } from './loopback.ts';

export type TalkHandler = Handlers<typeof TalkDefinition>['talk'];
export const TALK = '/kit.v1.Json/Talk';

const same = (request: EchoMessage): EchoMessage => request;

/** A server whose `talk` the test implements. */
export async function serveTalk(talk: TalkHandler, options: Partial<ServeOptions> = {}) {
  const server = await serve({
    address: `${LOOPBACK}:0`,
    implementations: [implement(TalkDefinition, { say: same, again: same, talk })],
    log: silentLogger,
    ...options,
  });
  atEnd(() => server.close());
  return server;
}

export type Stream = ClientDuplexStream<EchoMessage, EchoMessage>;

/** An ordinary client of grpc-js, without the kit. */
export function plainClient(address: string): Client {
  const client = new Client(address, credentials.createInsecure());
  atEnd(() => client.close());
  return client;
}

/** Opens a stream with a client of its own. */
export function openTalk(address: string, client = plainClient(address)): Stream {
  const serialize = (message: EchoMessage): Buffer => Buffer.from(NullableString.encode(message).finish());
  const stream: Stream = client.makeBidiStreamRequest(TALK, serialize, (bytes) =>
    NullableString.decode(bytes),
  );
  stream.on('error', () => undefined); // `ending` has it
  return stream;
}

/** Opens a stream by HTTP/2 alone, so that the test decides when bytes are written and read. */
export function openRawTalk(address: string): ClientHttp2Stream {
  const session = connect(`http://${address}`);
  atEnd(() => session.destroy());
  const headers = { ':method': 'POST', ':path': TALK, 'content-type': 'application/grpc', te: 'trailers' };
  return session.request(headers).on('error', () => undefined);
}

/** A message as gRPC sends it. */
export function prefixed(message: EchoMessage): Buffer {
  const bytes = NullableString.encode(message).finish();
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

export interface Ending {
  readonly values: EchoMessage['value'][];
  /** Undefined: OK. */
  readonly error: ServiceError | undefined;
}

/** Reads the stream to its end. */
export function ending(stream: Stream): Promise<Ending> {
  const values: EchoMessage['value'][] = [];
  return new Promise((resolve) => {
    stream.on('data', ({ value }: EchoMessage) => values.push(value));
    stream.on('error', (error: ServiceError) => resolve({ values, error }));
    stream.on('end', () => setImmediate(() => resolve({ values, error: undefined }))); // an error follows at once
  });
}

/** A session that answers each request at once, with its own value. */
export class EchoSession implements BidiSession<EchoMessage> {
  readonly responses: BidiResponses<EchoMessage>;
  readonly batches: EchoMessage['value'][][] = [];
  limit = Number.POSITIVE_INFINITY;

  constructor(responses: BidiResponses<EchoMessage>) {
    this.responses = responses;
  }

  room(): number {
    return this.limit;
  }

  receive(requests: readonly EchoMessage[]): void {
    this.batches.push(requests.map(({ value }) => value));
    for (const request of requests) this.responses.send(request);
  }

  finish(): void {
    this.responses.end();
  }
}
