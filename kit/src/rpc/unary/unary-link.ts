import {
  type HealthCheckResponse,
  HealthDefinition,
  HealthCheckResponse_ServingStatus as Serving,
} from '@gatehouse/proto/grpc/health';
import { Caller } from '@gatehouse/proto/kit/calls';
import { Client, connectivityState, Metadata, type ServiceError } from '@grpc/grpc-js';
import { cancelled, deadlineExceeded, Status } from '../../fault.ts';
import { anonymous } from '../call.ts';
import { type ClientTls, channelTls } from '../client-tls.ts';
import { asBuffer, decodeMessage, encodeMessage } from '../codec.ts';
import { methodPath } from '../definition.ts';
import { decodeFault } from '../fault-wire.ts';
import {
  CALLER_METADATA,
  MAX_MESSAGE_BYTES,
  MAX_OPEN_CALLS,
  REQUEST_ID_METADATA,
  STATUS_DETAILS_METADATA,
} from '../limits.ts';
import type { ConnectionState, Link } from '../link.ts';
import { linkClosed, type OutgoingCall, tooManyCalls } from '../outgoing-call.ts';
import { Unreachable } from '../unreachable.ts';

const { check } = HealthDefinition.methods;
const HEALTH_CHECK = methodPath(HealthDefinition, check);
const NO_BYTES = new Uint8Array();

/**
 * Calls a replica by unary RPCs of grpc-js.
 *
 * @param connectsNow otherwise the connection is made with the first call
 */
export function unaryLink(address: string, tls: ClientTls | undefined, connectsNow: boolean): Link {
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
    'grpc.use_local_subchannel_pool': 1, // a link that is renewed needs a new connection
  });
  const channel = client.getChannel();
  let inFlight = 0;
  let retired = false;
  if (connectsNow) channel.getConnectivityState(true);

  async function answerTo(call: OutgoingCall): Promise<unknown> {
    const timeoutMs = Math.ceil(call.due_ms - performance.now()); // it may have waited on a call stream
    if (timeoutMs <= 0) throw deadlineExceeded();
    if (inFlight >= MAX_OPEN_CALLS) throw tooManyCalls();
    inFlight++;
    try {
      return decodeMessage(call.method.responseType, await unaryCall(client, call, timeoutMs));
    } finally {
      inFlight--;
      closeIfDone();
    }
  }

  function state(): ConnectionState {
    switch (channel.getConnectivityState(!retired)) {
      case connectivityState.READY:
        return 'connected';
      case connectivityState.TRANSIENT_FAILURE:
        return 'failed';
      default:
        return 'connecting';
    }
  }

  function closeIfDone(): void {
    if (retired && inFlight === 0) client.close();
  }

  function call(outgoing: OutgoingCall): void {
    if (retired) outgoing.fail(linkClosed());
    else answerTo(outgoing).then(outgoing.succeed, outgoing.fail);
  }

  return {
    address,
    openedAt_ms: performance.now(),
    call,
    isServing: (timeoutMs) => isServing(call, timeoutMs),
    inFlight: () => inFlight,
    state,
    retire: () => {
      retired = true;
      closeIfDone();
    },
  };
}

function unaryCall(client: Client, outgoing: OutgoingCall, timeoutMs: number): Promise<Uint8Array> {
  const { path, method, caller, requestId, signal } = outgoing;
  const request = outgoing.encoded ?? encodeMessage(method.requestType, outgoing.request);
  const metadata = new Metadata();
  if (caller !== anonymous) metadata.set(CALLER_METADATA, asBuffer(encodeMessage(Caller, caller)));
  if (requestId !== '') metadata.set(REQUEST_ID_METADATA, requestId);
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      path,
      asBuffer,
      (bytes) => bytes,
      request,
      metadata,
      { deadline: Date.now() + timeoutMs }, // grpc-js sends it as a duration
      (error: ServiceError | null, response?: Uint8Array) => {
        signal?.removeEventListener('abort', abort);
        if (error === null && response !== undefined) resolve(response);
        else reject(faultOf(error, signal));
      },
    );
    /** Later: grpc-js sends a call in full that is cancelled at the moment it is made. */
    const abort = (): void => {
      setImmediate(() => call.cancel());
    };
    signal?.addEventListener('abort', abort);
  });
}

function faultOf(error: ServiceError | null, signal: AbortSignal | undefined): Error {
  const [details] = error?.metadata?.get(STATUS_DETAILS_METADATA) ?? [];
  const status = error?.code ?? Status.INTERNAL;
  if (details instanceof Buffer) return decodeFault(status, details, error);
  if (status === Status.CANCELLED && signal?.aborted === true) return cancelled();
  // grpc-js says so of a stream that was reset. No server of ours answers so: the connection broke.
  if (status === Status.CANCELLED || status === Status.INTERNAL) return new Unreachable(error);
  return decodeFault(status, NO_BYTES, error);
}

function isServing(call: (outgoing: OutgoingCall) => void, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) =>
    call({
      path: HEALTH_CHECK,
      method: check,
      request: { service: '' },
      encoded: undefined,
      timeoutMs,
      due_ms: performance.now() + timeoutMs,
      caller: anonymous,
      requestId: '',
      signal: undefined,
      succeed: (response) => resolve((response as HealthCheckResponse).status === Serving.SERVING),
      fail: () => resolve(false),
    }),
  );
}
