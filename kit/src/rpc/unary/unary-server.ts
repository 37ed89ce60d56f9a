import type { Caller } from '@gatehouse/proto/kit/calls';
import {
  Metadata,
  type Server,
  type ServerUnaryCall,
  type StatusObject,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { Logger } from '../../log.ts';
import type { AccessOf } from '../access.ts';
import { bytesMethod } from '../bytes-method.ts';
import { anonymous, decodeCaller, ServerCall } from '../call.ts';
import { type CallWatch, dispatch, type Failure, type Replies, type ServedMethod } from '../dispatch.ts';
import {
  CALLER_METADATA,
  REQUEST_ID_METADATA,
  STATUS_DETAILS_METADATA,
  TRACEPARENT_METADATA,
} from '../limits.ts';
import { encodeMessage } from '../messages/codec.ts';

type UnaryCall = ServerUnaryCall<Uint8Array, Uint8Array>;
type Reply = sendUnaryData<Uint8Array>;

/** The part of grpc-js' calls, unary or with streams, that a ServerCall is made of. */
interface GrpcCall extends Pick<UnaryCall, 'metadata' | 'cancelled' | 'getDeadline'> {
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Serves methods as unary RPCs. */
export function addUnaryMethods(
  server: Server,
  methods: readonly ServedMethod[],
  accessOf: AccessOf,
  log: Logger,
  watch: CallWatch,
): void {
  const handlerOf = ({ path }: ServedMethod) => unaryHandler(path, accessOf, log, watch);
  server.addService(
    Object.fromEntries(methods.map(({ path }) => [path, bytesMethod(path, 'unary')])),
    Object.fromEntries(methods.map((method) => [method.path, handlerOf(method)])),
  );
}

function unaryHandler(path: string, accessOf: AccessOf, log: Logger, watch: CallWatch) {
  return (grpc: UnaryCall, reply: Reply): void => {
    const access = accessOf(grpc);
    const method = access.methods.get(path);
    if (method === undefined) {
      reply({ code: access.refuse(path), details: 'this peer may not call that' });
      return;
    }
    const { request: bytes } = grpc;
    const call = serverCallOf(grpc, method.acceptsCaller, log);
    const replies: Replies = {
      succeed: (_, { responseType }, response) => {
        reply(null, encodeMessage(responseType, response));
        call.answerSent();
      },
      fail: (_, failure) => {
        reply(failureStatus(failure));
        call.answerSent();
      },
    };
    void dispatch(method, { bytes, from: 0, to: bytes.length }, call, replies, watch);
  };
}

/** Makes the call from its metadata. It aborts when the client cancels. */
export function serverCallOf(grpc: GrpcCall, acceptsCaller: boolean, log: Logger): ServerCall {
  const { metadata } = grpc;
  const caller = acceptsCaller ? readCaller(metadata) : anonymous;
  const call = new ServerCall(
    0,
    caller,
    firstText(metadata, REQUEST_ID_METADATA),
    dueOf(grpc),
    log,
    firstText(metadata, TRACEPARENT_METADATA),
  );
  if (grpc.cancelled) call.abort();
  else grpc.on('cancelled', () => call.abort());
  return call;
}

function readCaller(metadata: Metadata): Caller {
  const [encoded] = metadata.get(CALLER_METADATA);
  return encoded instanceof Buffer ? decodeCaller(encoded) : anonymous;
}

function firstText(metadata: Metadata, key: string): string {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : '';
}

/** grpc-js converts the received timeout to a time of day; Infinity if there is none. */
function dueOf(grpc: GrpcCall): number {
  return performance.now() + (Number(grpc.getDeadline()) - Date.now());
}

/** Converts a failure to the status that grpc-js sends. */
export function failureStatus({ status, message, details }: Failure): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(STATUS_DETAILS_METADATA, Buffer.from(details));
  // grpc-js percent-encodes the text, and throws an uncaught error if it is not well-formed.
  return { code: status, details: message.toWellFormed(), metadata };
}
