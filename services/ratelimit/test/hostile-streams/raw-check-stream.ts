import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { ErrorInfo } from '@gatehouse/proto/google/rpc/error-details';
import { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';

/** A CheckStream on bare HTTP/2: it sends any bytes at any time, and reads only while it wants to. */
export interface RawCheckStream {
  /** Sends checks in one write. */
  check(...requests: Partial<CheckRequest>[]): void;
  /** Sends one message with this prefix. */
  bytes(message: Uint8Array): void;
  /** Ends the requests. */
  end(): void;
  /** Stops reading, or goes on. */
  pause(): void;
  resume(): void;
  /** Bytes that flow control keeps back. */
  waitingBytes(): number;
  readonly responses: readonly CheckResponse[];
  /** Waits for the response with this tag. */
  response(tag: number): Promise<CheckResponse>;
  /** The gRPC status at the end; undefined if the stream ended without one. */
  readonly status: Promise<number | undefined>;
  close(): void;
}

const HEADERS = {
  ':method': 'POST',
  ':path': '/gatehouse.ratelimit.v1.RatelimitService/CheckStream',
  'content-type': 'application/grpc',
  te: 'trailers',
};

export async function connectHttp2(address: string): Promise<ClientHttp2Session> {
  const session = connect(`http://${address}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

export function rawCheckStream(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders = {},
): RawCheckStream {
  const stream = session.request({ ...HEADERS, ...headers }, { endStream: false });
  const responses: CheckResponse[] = [];
  const waiting = new Map<number, (response: CheckResponse) => void>();
  let unread: Buffer = Buffer.alloc(0);
  let status: number | undefined;

  const readStatus = (received: Record<string, unknown>) => {
    if (received['grpc-status'] !== undefined) status = Number(received['grpc-status']);
  };
  stream.on('response', readStatus);
  stream.on('trailers', readStatus);
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= 5 && unread.length >= 5 + unread.readUInt32BE(1)) {
      const end = 5 + unread.readUInt32BE(1);
      const response = CheckResponse.decode(unread.subarray(5, end));
      unread = unread.subarray(end);
      responses.push(response);
      waiting.get(response.tag ?? -1)?.(response);
    }
  });
  const ended = new Promise<number | undefined>((resolve) => stream.once('close', () => resolve(status)));
  // As gRPC's clients do, when the server has ended a stream.
  stream.once('end', () => stream.close(constants.NGHTTP2_CANCEL));

  return {
    check: (...requests) => void stream.write(Buffer.concat(requests.map(framedCheck))),
    bytes: (message) => void stream.write(message),
    end: () => void stream.end(),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    waitingBytes: () => stream.writableLength,
    responses,
    response: (tag) => {
      const early = responses.find((response) => response.tag === tag);
      if (early !== undefined) return Promise.resolve(early);
      return new Promise((resolve) => waiting.set(tag, resolve));
    },
    status: ended,
    close: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

export function framedCheck(request: Partial<CheckRequest>): Buffer {
  return framed(CheckRequest.encode({ sets: [], ...request }).finish());
}

/** A message with gRPC's prefix. */
export function framed(message: Uint8Array, { compressed = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(compressed, 0);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** The reason of a response's error. */
export function reasonOf(response: CheckResponse | undefined): string | undefined {
  const info = response?.error?.details.find(({ type_url }) => type_url.endsWith('google.rpc.ErrorInfo'));
  return info && ErrorInfo.decode(info.value).reason;
}
