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
} from '@grpc/grpc-js';
import { methodPath } from '../../src/rpc/definition.ts';

/** Peers that speak bytes on the call stream's path, and need not keep to its contract. */
const OPEN = methodPath(CallsDefinition, CallsDefinition.methods.open);
const same = (bytes: Buffer): Buffer => bytes;
const bytes = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };

export type RawServerStream = ServerDuplexStream<Buffer, Buffer>;
export type RawClientStream = ClientDuplexStream<Buffer, Buffer>;

export interface RawServer {
  readonly address: string;
  close(): void;
}

/** A server whose side of each call stream is the test's own; `unary` answers these paths with an empty message. */
export async function rawServer(
  open: (stream: RawServerStream) => void,
  unary: Readonly<Record<string, (request: Buffer) => Buffer>> = {},
  address = '127.0.0.1:0',
): Promise<RawServer> {
  const server = new Server();
  server.addService({ open: { path: OPEN, requestStream: true, responseStream: true, ...bytes } }, { open });
  for (const [path, answer] of Object.entries(unary)) {
    server.addService(
      { unary: { path, requestStream: false, responseStream: false, ...bytes } },
      { unary: (call, reply) => reply(null, answer(call.request)) },
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
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
    ...call,
  }));
  return Buffer.from(CallFrame.encode({ calls: full, cancelled: [] }).finish());
}

export function cancellation(...cancelled: number[]): Buffer {
  return Buffer.from(CallFrame.encode({ calls: [], cancelled }).finish());
}
