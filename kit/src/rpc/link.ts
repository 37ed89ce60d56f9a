import { Caller, CallsDefinition } from '@gatehouse/proto/kit/calls';
import { Client, connectivityState, Metadata, type ServiceError } from '@grpc/grpc-js';
import { cancelled, deadlineExceeded, Status, unavailable } from '../fault.ts';
import { nobody } from './call.ts';
import { type CallConnection, callConnection } from './call-connection.ts';
import { type ClientTls, channelTls } from './client-tls.ts';
import { asBuffer, decodeMessage, encodeMessage } from './codec.ts';
import { methodPath } from './definition.ts';
import { decodeFault } from './fault-wire.ts';
import {
  CALLER_METADATA,
  MAX_MESSAGE_BYTES,
  MAX_OPEN_CALLS,
  REQUEST_ID_METADATA,
  STATUS_DETAILS_METADATA,
} from './limits.ts';
import { type CallStream, callStream, type OutgoingCall, tooManyCalls } from './stream-client.ts';
import { Unreachable } from './unreachable.ts';

export type Transport = 'stream' | 'unary';

/** A call as bytes. */
export interface UnaryCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
  readonly caller: Uint8Array;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** One connection to one replica. */
export interface Link {
  readonly address: string;
  /** By performance.now(). */
  readonly openedAt_ms: number;
  call(call: OutgoingCall): void;
  /** An RPC of its own, whatever the transport. */
  unary(call: UnaryCall): Promise<Uint8Array>;
  inFlight(): number;
  /** 0 when connected, 1 when not yet, 2 when the last attempt failed; a lost link connects again. */
  distance(): number;
  /** Closes once its calls are answered. */
  retire(): void;
}

const OPEN = methodPath(CallsDefinition, CallsDefinition.methods.open);
const NOTHING = new Uint8Array();
const same = (bytes: Buffer): Buffer => bytes;

/**
 * Connects to one replica; a lost connection is made again with back-off of at most half a second. Calls on
 * the call stream have a connection of their own: that of the unary ones is made when the first is.
 */
export function openLink(address: string, transport: Transport, tls: ClientTls | undefined): Link {
  const { via, options } = channelTls(tls);
  const client = new Client(address, via, {
    ...options,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.min_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.use_local_subchannel_pool': 1, // a link renewed by age must be a new connection
  });
  const channel = client.getChannel();
  const connection = transport === 'stream' ? callConnection(address, tls) : undefined;
  const streams = new Set<CallStream>();
  let current: CallStream | undefined;
  let unaryInFlight = 0;
  let retired = false;
  if (connection === undefined) channel.getConnectivityState(true);

  function stream({ open }: CallConnection): CallStream {
    if (current?.usable() === true) return current;
    const opened = callStream({
      open: (events) => open(OPEN, events),
      tooLong: overUnary,
      onEnd: () => {
        streams.delete(opened);
        closeIfDone();
      },
    });
    streams.add(opened);
    current = opened;
    return opened;
  }

  function overStream(connection: CallConnection, call: OutgoingCall): void {
    let open: CallStream;
    try {
      open = stream(connection);
    } catch (unreachable) {
      call.fail(unreachable as Error);
      return;
    }
    open.call(call);
  }

  /** Also of a call that was placed before the link retired. */
  function overUnary(call: OutgoingCall): void {
    const { path, method, caller, requestId, signal } = call;
    const timeoutMs = Math.ceil(call.due_ms - performance.now()); // it may have waited
    if (timeoutMs <= 0) {
      call.fail(deadlineExceeded());
      return;
    }
    const answer = async (): Promise<unknown> => {
      const request = call.encoded ?? encodeMessage(method.requestType, call.request);
      const bytes = caller === nobody ? NOTHING : encodeMessage(Caller, caller);
      const response = await unary({ path, request, timeoutMs, caller: bytes, requestId, signal });
      return decodeMessage(method.responseType, response);
    };
    answer().then(call.succeed, call.fail);
  }

  async function unary(call: UnaryCall): Promise<Uint8Array> {
    if (unaryInFlight >= MAX_OPEN_CALLS) throw tooManyCalls();
    unaryInFlight++;
    try {
      return await unaryCall(client, call);
    } finally {
      unaryInFlight--;
      closeIfDone();
    }
  }

  function inFlight(): number {
    let count = unaryInFlight;
    for (const one of streams) count += one.inFlight();
    return count;
  }

  function distance(): number {
    if (connection !== undefined) return connection.distance();
    const state = channel.getConnectivityState(false);
    if (state === connectivityState.READY) return 0;
    if (state === connectivityState.IDLE && !retired) channel.getConnectivityState(true);
    return state === connectivityState.TRANSIENT_FAILURE ? 2 : 1;
  }

  function closeIfDone(): void {
    if (!retired || unaryInFlight > 0 || streams.size > 0) return;
    client.close();
    connection?.close();
  }

  return {
    address,
    openedAt_ms: performance.now(),
    inFlight,
    distance,
    unary: (call) => (retired ? Promise.reject(closed()) : unary(call)),
    call: (call) => {
      if (retired) call.fail(closed());
      else if (connection === undefined) overUnary(call);
      else overStream(connection, call);
    },
    retire: () => {
      retired = true;
      for (const one of streams) one.retire();
      closeIfDone();
    },
  };
}

function closed(): Error {
  return unavailable(new Error('the connection is closed'));
}

function unaryCall(client: Client, outgoing: UnaryCall): Promise<Uint8Array> {
  const { path, request, timeoutMs, caller, requestId, signal } = outgoing;
  const metadata = new Metadata();
  if (caller.length > 0) metadata.set(CALLER_METADATA, asBuffer(caller));
  if (requestId !== '') metadata.set(REQUEST_ID_METADATA, requestId);
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      path,
      asBuffer,
      same,
      request,
      metadata,
      { deadline: Date.now() + timeoutMs }, // which grpc-js sends as a duration
      (error: ServiceError | null, response?: Uint8Array) => {
        signal?.removeEventListener('abort', abort);
        if (error === null && response !== undefined) resolve(response);
        else reject(unaryFault(error, signal));
      },
    );
    /** Later, because grpc-js sends a call in full that is cancelled in the moment that it is made. */
    const abort = (): void => {
      setImmediate(() => call.cancel());
    };
    signal?.addEventListener('abort', abort);
  });
}

function unaryFault(error: ServiceError | null, signal: AbortSignal | undefined): Error {
  const [details] = error?.metadata?.get(STATUS_DETAILS_METADATA) ?? [];
  const status = error?.code ?? Status.INTERNAL;
  if (details instanceof Buffer) return decodeFault(status, details, error);
  if (status === Status.CANCELLED && signal?.aborted === true) return cancelled();
  // What a reset stream is to grpc-js: nobody answers so, it is the connection that broke.
  if (status === Status.CANCELLED || status === Status.INTERNAL) return new Unreachable(error);
  return decodeFault(status, NOTHING, error);
}
