import { type ClientHttp2Session, constants, type IncomingHttpHeaders } from 'node:http2';
import { MAX_FRAME_BYTES } from '../limits.ts';
import { Unreachable } from '../unreachable.ts';

/** A gRPC call that streams both ways, as its caller has it. */
export interface MessageStream {
  /** Takes a message with its prefix (./codec.ts); false when no more should come until `drained`. */
  write(prefixed: Uint8Array): boolean;
  /** Says that no message follows. */
  end(): void;
  /** Gives the call up; without effect where it has ended. */
  cancel(): void;
}

export interface StreamEvents {
  message(bytes: Buffer): void;
  drained(): void;
  /** Once, at the end, however it came. */
  lost(cause: unknown): void;
}

/** Of each message: a byte that says whether it is compressed, and its length in four. */
const PREFIX_BYTES = 5;

/**
 * Calls a method of gRPC straight on HTTP/2. grpc-js takes each message through eight layers, of which a
 * call stream uses none: a frame costs its client half as much so.
 *
 * `untilSettings` holds messages back until the peer's settings come: the system takes connections and bytes
 * for a process that is stopped, which would begin with them when it goes on, long after they were repeated
 * elsewhere.
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
  const read = messageReader(on.message);
  let cause: unknown;

  stream.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
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
  stream.on('end', () => stream.close()); // an answer that has ended ends the call (gRPC over HTTP/2, "Responses")
  stream.on('close', () => {
    const reason = cause ?? new Error('the peer ended the call stream');
    // Never begun (RFC 9113, section 8.7).
    on.lost(stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ? new Unreachable(reason, false) : reason);
  });

  return {
    write: (prefixed) => stream.write(prefixed),
    end: () => stream.end(),
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

/** Makes the function that finds messages in the chunks that come, whose borders mean nothing. */
function messageReader(onMessage: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wanted = PREFIX_BYTES;

  return (chunk) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < wanted) return;
    let bytes = held.length === 1 ? chunk : Buffer.concat(held);
    wanted = PREFIX_BYTES;
    while (bytes.length >= PREFIX_BYTES) {
      wanted = PREFIX_BYTES + lengthOf(bytes);
      if (bytes.length < wanted) break;
      onMessage(bytes.subarray(PREFIX_BYTES, wanted));
      bytes = bytes.subarray(wanted);
      wanted = PREFIX_BYTES;
    }
    held = bytes.length === 0 ? [] : [bytes];
    heldBytes = bytes.length;
  };
}

/** @throws Error for a message that is too long, or compressed without being asked to */
function lengthOf(prefixed: Buffer): number {
  const length = prefixed.readUInt32BE(1);
  if (prefixed[0] !== 0 || length > MAX_FRAME_BYTES) throw new Error('the peer sent no message of this call');
  return length;
}

/** What headers or trailers say went wrong; undefined when nothing did. */
function refusal(headers: IncomingHttpHeaders): Error | undefined {
  const { ':status': status = 200, 'grpc-status': grpcStatus = '0', 'grpc-message': message = '' } = headers;
  if (status !== 200) return new Error(`the peer answered with HTTP status ${status}`);
  if (grpcStatus !== '0') return new Error(`the peer ended with gRPC status ${grpcStatus}: ${message}`);
  return undefined;
}
