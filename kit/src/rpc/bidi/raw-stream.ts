import type { ServerHttp2Stream } from 'node:http2';
import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';

/** The members of grpc-js 1.14 that lead to the HTTP/2 stream. The library declares them private. */
interface Inner {
  readonly call?: { readonly stream?: ServerHttp2Stream };
}

/**
 * Takes the messages of a stream from grpc-js, which would make promises and a write for each. grpc-js still handles
 * metadata, deadline, cancellation and status. Sends the initial metadata.
 *
 * @throws Error if another version of grpc-js has no such members
 */
export function takeRawStream(grpc: ServerDuplexStream<Uint8Array, Uint8Array>): ServerHttp2Stream {
  const raw = (grpc as Inner).call?.stream;
  if (raw === undefined) throw new Error('this version of grpc-js does not hold its HTTP/2 stream');
  raw.removeAllListeners('data');
  const metadata = new Metadata();
  metadata.set('grpc-accept-encoding', 'identity');
  grpc.sendMetadata(metadata);
  return raw;
}
