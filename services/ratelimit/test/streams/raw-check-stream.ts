import { once } from 'node:events';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { type CheckRequest, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

const { fullName, methods } = RatelimitServiceDefinition;

/** A CheckStream by HTTP/2 alone, whose bytes are written and read as the test wants. */
export interface RawCheckStream {
  readonly stream: ClientHttp2Stream;
  /** Writes messages in one piece. Resolves when the connection has taken them. */
  write(...messages: readonly CheckRequest[]): Promise<void>;
  /** Cuts the connection. */
  cut(): Promise<void>;
}

export function rawCheckStream(address: string): RawCheckStream {
  const session = connect(`http://${address}`);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${fullName}/${methods.checkStream.name}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => undefined);
  return {
    stream,
    write: (...messages) =>
      new Promise((resolve, reject) => {
        stream.write(Buffer.concat(messages.map(prefixed)), (error) => (error ? reject(error) : resolve()));
      }),
    cut: async () => {
      const closed = once(stream, 'close');
      session.destroy();
      await closed;
    },
  };
}

/** A message as gRPC sends it. */
export function prefixed(message: CheckRequest): Buffer {
  const bytes = methods.checkStream.requestType.encode(message).finish();
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}
