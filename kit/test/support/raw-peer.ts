import {
  type Answer,
  AnswerFrame,
  CallFrame,
  type Call as CallMessage,
  CallsDefinition,
} from '@gatehouse/proto/kit/calls';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { methodPath } from '../../src/rpc/definition.ts';
import { LOOPBACK } from './loopback.ts';

/** Peers that exchange bytes on the path of the call stream, and may break its contract. */
const OPEN = methodPath(CallsDefinition, CallsDefinition.methods.open);
const same = (bytes: Buffer): Buffer => bytes;
const bytes = {
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};

export type RawServerStream = ServerDuplexStream<Buffer, Buffer>;
export type RawClientStream = ClientDuplexStream<Buffer, Buffer>;

export interface RawServer {
  readonly address: string;
  close(): void;
}

/** A server on which the test handles each call stream; `unary` answers other paths, if given. */
export async function rawServer(
  open: (stream: RawServerStream) => void,
  unary: Readonly<Record<string, (request: Buffer) => Buffer | undefined>> = {},
): Promise<RawServer> {
  const server = new Server();
  server.addService({ open: { path: OPEN, requestStream: true, responseStream: true, ...bytes } }, { open });
  for (const [path, answer] of Object.entries(unary)) {
    server.addService(
      { unary: { path, requestStream: false, responseStream: false, ...bytes } },
      {
        unary: (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
          const response = answer(call.request);
          if (response !== undefined) reply(null, response);
        },
      },
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${LOOPBACK}:0`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `${LOOPBACK}:${port}`, close: () => server.forceShutdown() };
}

/** A client with one call stream that the test writes to. */
export function rawClient(address: string): { stream: RawClientStream; close(): void } {
  const client = new Client(address, credentials.createInsecure());
  const stream = client.makeBidiStreamRequest(OPEN, same, same);
  stream.on('error', () => undefined);
  return { stream, close: () => client.close() };
}

export function answers(...list: (Partial<Answer> & { id: number })[]): Buffer {
  const full = list.map((answer) => ({
    status: 0,
    response: new Uint8Array(),
    details: new Uint8Array(),
    more: false,
    ...answer,
  }));
  return Buffer.from(AnswerFrame.encode({ answers: full, draining: false }).finish());
}

export const draining = Buffer.from(AnswerFrame.encode({ answers: [], draining: true }).finish());

export function calls(...list: (Partial<CallMessage> & { id: number })[]): Buffer {
  const full = list.map((call) => ({
    method: '/kit.v1.Json/Say',
    request: new Uint8Array(),
    timeout_ms: 20_000,
    caller: new Uint8Array(),
    request_id: '',
    traceparent: '',
    ...call,
  }));
  return Buffer.from(CallFrame.encode({ calls: full, cancelled: [] }).finish());
}

export function cancellation(...cancelled: number[]): Buffer {
  return Buffer.from(CallFrame.encode({ calls: [], cancelled }).finish());
}

/** The frames that reach a test's server. */
export interface Received {
  readonly calls: CallMessage[];
  readonly cancelled: number[];
  frames: number;
  ended: boolean;
}

/** Records the frames of a stream, and ends it when the client does. */
export function receive(
  stream: RawServerStream,
  onCall: (call: CallMessage) => void = () => undefined,
): Received {
  const received: Received = { calls: [], cancelled: [], frames: 0, ended: false };
  stream.on('data', (frame: Buffer) => {
    const { calls, cancelled } = CallFrame.decode(frame);
    received.frames++;
    received.calls.push(...calls);
    received.cancelled.push(...cancelled);
    for (const call of calls) onCall(call);
  });
  stream.on('end', () => {
    received.ended = true;
    stream.end();
  });
  stream.on('error', () => undefined);
  return received;
}
