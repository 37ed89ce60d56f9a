import { type ClientHttp2Session, constants, type IncomingHttpHeaders } from 'node:http2';
import { MessageSplitter } from '../messages/message-splitter.ts';
import { Unreachable } from '../unreachable.ts';

/** The client's side of a gRPC call with streams in both directions. */
export interface MessageStream {
  /** Sends a message, which includes its prefix. Returns false if the caller must wait for `drained`. */
  write(prefixed: Uint8Array): boolean;
  /** Ends the client's side of the stream. */
  end(): void;
  /** Cancels the call. Does nothing if it has ended. */
  cancel(): void;
}

export interface StreamEvents {
  message(bytes: Buffer): void;
  drained(): void;
  /** Called once, when the call has ended for any reason. */
  lost(cause: unknown): void;
}

/**
 * Calls a bidirectional gRPC method on Node's HTTP/2. grpc-js would do the same in eight layers, and its client would
 * need almost twice the time per frame.
 *
 * @param untilSettings hold messages back until the peer's settings arrive. The operating system accepts connections
 * and data for a stopped process. When it continues, it would run calls that were repeated on another replica long
 * ago.
 */
export function openMessages(
  session: ClientHttp2Session,
  path: string,
  on: StreamEvents,
  untilSettings: boolean,
): MessageStream {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  if (untilSettings) {
    stream.cork();
    session.once('remoteSettings', () => stream.uncork());
  }
  const messages = new MessageSplitter();
  let cause: unknown;

  stream.on('data', (chunk: Buffer) => {
    try {
      messages.push(chunk);
      for (let next = messages.next(); next !== undefined; next = messages.next()) on.message(next);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  stream.on('drain', on.drained);
  for (const event of ['response', 'trailers'])
    stream.on(event, (headers: IncomingHttpHeaders) => {
      cause = refusal(headers) ?? cause;
    });
  stream.on('error', (error) => {
    cause = error;
  });
  stream.on('end', () => stream.close()); // the server's end ends the call (gRPC over HTTP/2, "Responses")
  stream.on('close', () => {
    const reason = cause ?? new Error('the peer ended the call stream');
    // REFUSED_STREAM: the peer has not processed it (RFC 9113 §8.7).
    on.lost(stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ? new Unreachable(reason, false) : reason);
  });

  return {
    write: (prefixed) => stream.write(prefixed),
    end: () => stream.end(),
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

/** The error that headers or trailers carry, if any. */
function refusal(headers: IncomingHttpHeaders): Error | undefined {
  const { ':status': status = 200, 'grpc-status': grpcStatus = '0', 'grpc-message': message = '' } = headers;
  if (status !== 200) return new Error(`the peer answered with HTTP status ${status}`);
  if (grpcStatus !== '0') return new Error(`the peer ended with gRPC status ${grpcStatus}: ${message}`);
  return undefined;
}
