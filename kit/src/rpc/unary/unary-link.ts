import {
  type HealthCheckResponse,
  HealthDefinition,
  HealthCheckResponse_ServingStatus as Serving,
} from '@gatehouse/proto/grpc/health';
import { Client, connectivityState, type ServiceError } from '@grpc/grpc-js';
import { deadlineExceeded } from '../../fault.ts';
import { anonymous } from '../call.ts';
import { methodPath } from '../definition.ts';
import { MAX_MESSAGE_BYTES, MAX_OPEN_CALLS } from '../limits.ts';
import type { ConnectionState, Link } from '../link.ts';
import { asBuffer, decodeMessage, encodeMessage } from '../messages/codec.ts';
import { linkClosed, type OutgoingCall, type OutgoingStream, tooManyCalls } from '../outgoing-call.ts';
import { streamedCall } from '../streaming/streamed-call.ts';
import { type ClientTls, channelTls } from '../tls/client-tls.ts';
import { faultOf, metadataOf } from './call-metadata.ts';

const { check } = HealthDefinition.methods;
const HEALTH_CHECK = methodPath(HealthDefinition, check);

/**
 * Calls a replica by RPCs of grpc-js.
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
    'grpc.max_reconnect_backoff_ms': 100,
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

  async function* stream(outgoing: OutgoingStream): AsyncGenerator<unknown, void, undefined> {
    if (retired) throw linkClosed();
    if (inFlight >= MAX_OPEN_CALLS) throw tooManyCalls();
    inFlight++;
    try {
      yield* streamedCall(client, outgoing);
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
    stream,
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
  const { path, method, signal } = outgoing;
  const request = outgoing.encoded ?? encodeMessage(method.requestType, outgoing.request);
  const metadata = metadataOf(outgoing);
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
      traceparent: '',
      signal: undefined,
      succeed: (response) => resolve((response as HealthCheckResponse).status === Serving.SERVING),
      fail: () => resolve(false),
    }),
  );
}
