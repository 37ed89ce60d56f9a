import { type Caller, CallsDefinition } from '@gatehouse/proto/kit/calls';
import {
  type ServiceDefinition as GrpcService,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { Running } from '../lifecycle.ts';
import type { Logger } from '../log.ts';
import { type Access, accessTo, type PeerRules } from './access.ts';
import { decodeCaller, nobody, ServerCall } from './call.ts';
import type { Certificates } from './certificates.ts';
import { asBuffer, encodeMessage } from './codec.ts';
import { methodPath } from './definition.ts';
import {
  type CallLog,
  callLog,
  dispatch,
  type Failure,
  type Implementation,
  type Replies,
  type ServedMethod,
} from './dispatch.ts';
import { addHealth } from './health.ts';
import {
  CALLER_METADATA,
  MAX_MESSAGE_BYTES,
  MAX_OPEN_CALLS,
  REQUEST_ID_METADATA,
  STATUS_DETAILS_METADATA,
} from './limits.ts';
import { addReflection } from './reflection.ts';
import { secureListener } from './secure-listener.ts';
import { type ServedStream, serveStream } from './stream-server.ts';

const DRAIN_WITHIN_MS = 8_000;

export interface ServeOptions {
  /** host:port; port 0 takes a free one. */
  readonly address: string;
  readonly implementations: readonly Implementation[];
  readonly log: Logger;
  /** Mutual TLS; without it everybody who reaches the port may call everything. */
  readonly tls?: ServerTls | undefined;
}

export interface ServerTls {
  readonly certificates: Certificates;
  readonly peers: PeerRules;
}

/**
 * Serves services on one port: their unary RPCs, the same handlers over the call stream,
 * grpc.health.v1 and reflection. `close` turns NOT_SERVING, takes no new calls, lets open ones finish
 * for up to 8 s, and ends.
 */
export async function serve({ address, implementations, log, tls }: ServeOptions): Promise<Running> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': MAX_OPEN_CALLS,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  const methods = new Map<string, ServedMethod>();
  const accessOf = accessTo(methods, tls?.peers, log);
  const secure = tls && secureListener(server, tls.certificates, log);
  const access: AccessOf = (call) => accessOf(secure?.peerOf(call));
  const write = callLog(log);
  for (const { service, methods: served } of implementations) {
    for (const method of served) methods.set(method.path, method);
    const { definition, handlers } = unaryService(served, access, log, write);
    server.addService(definition, handlers);
    log.debug({ service: service.fullName }, 'serving');
  }
  const streams = addCallStream(server, access, log, write);
  const health = addHealth(
    server,
    implementations.map(({ service }) => service.fullName),
  );
  addReflection(server, implementations);

  const port = await (secure?.listen(address) ?? bind(server, address));
  return {
    address: `${address.slice(0, address.lastIndexOf(':'))}:${port}`,
    close: async () => {
      health.stop();
      const disconnected = secure?.close();
      streams.drain();
      await shutDown(server, disconnected, log);
    },
  };
}

/** What the peer may call whose call it is. */
type AccessOf = (
  call: ServerUnaryCall<Buffer, Buffer> | ServerDuplexStream<Uint8Array, Uint8Array>,
) => Access;

function unaryService(
  methods: readonly ServedMethod[],
  access: AccessOf,
  log: Logger,
  write: CallLog,
): { definition: GrpcService; handlers: Record<string, UnaryHandler> } {
  const definition: Record<string, GrpcService[string]> = {};
  const handlers: Record<string, UnaryHandler> = {};
  for (const method of methods) {
    definition[method.path] = bytesMethod(method.path, false);
    handlers[method.path] = unaryHandler(method.path, access, log, write);
  }
  return { definition, handlers };
}

type UnaryHandler = (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => void;

function unaryHandler(path: string, accessOf: AccessOf, log: Logger, write: CallLog): UnaryHandler {
  return (grpc, reply) => {
    const access = accessOf(grpc);
    const method = access.methods.get(path);
    if (method === undefined) {
      reply({ code: access.refuse(path), details: 'this peer may not call that' });
      return;
    }
    const call = new ServerCall(
      0,
      method.takesCaller ? readCaller(grpc.metadata) : nobody,
      firstText(grpc.metadata, REQUEST_ID_METADATA),
      dueOf(grpc),
      log,
    );
    if (grpc.cancelled) call.abort();
    else grpc.on('cancelled', () => call.abort());
    const { request: bytes } = grpc;
    const replies: Replies = {
      succeed: (_, { responseType }, response) =>
        reply(null, asBuffer(encodeMessage(responseType, response))),
      fail: (_, failure) => sendFailure(failure, reply),
    };
    void dispatch(method, { bytes, from: 0, to: bytes.length }, call, replies, write);
  };
}

/** grpc-js makes a time of day of the duration that it was sent. */
function dueOf(grpc: ServerUnaryCall<Buffer, Buffer>): number {
  return performance.now() + (Number(grpc.getDeadline()) - Date.now());
}

function sendFailure({ status, message, details }: Failure, reply: sendUnaryData<Buffer>): void {
  const metadata = new Metadata();
  metadata.set(STATUS_DETAILS_METADATA, Buffer.from(details));
  reply({ code: status, details: message, metadata });
}

/** Serves the call stream beside the unary RPCs; `drain` tells the clients of all streams. */
function addCallStream(server: Server, access: AccessOf, log: Logger, write: CallLog): ServedStream {
  const streams = new Set<ServedStream>();
  let draining = false;
  const path = methodPath(CallsDefinition, CallsDefinition.methods.open);
  server.addService(
    { open: bytesMethod(path, true) },
    {
      open: (stream: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        const served = serveStream(stream, access(stream), log, write);
        streams.add(served);
        stream.on('close', () => streams.delete(served));
        if (draining) served.drain();
      },
    },
  );
  return {
    drain: () => {
      draining = true;
      for (const stream of streams) stream.drain();
    },
  };
}

/** Messages cross gRPC as bytes; the kit decodes them, so that unary and stream share one path. */
function bytesMethod(path: string, stream: boolean): GrpcService[string] {
  const same = (bytes: Buffer): Buffer => bytes;
  return {
    path,
    requestStream: stream,
    responseStream: stream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  };
}

function readCaller(metadata: Metadata): Caller {
  const [encoded] = metadata.get(CALLER_METADATA);
  return encoded instanceof Buffer ? decodeCaller(encoded) : nobody;
}

function firstText(metadata: Metadata, key: string): string {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : '';
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(new Error(`cannot listen on ${address}: ${error.message}`));
    });
  });
}

async function shutDown(server: Server, disconnected: Promise<void> | undefined, log: Logger): Promise<void> {
  const force = setTimeout(() => {
    log.warn('calls were still open at shutdown and are cut off');
    server.forceShutdown();
  }, DRAIN_WITHIN_MS);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await disconnected;
  clearTimeout(force);
}
