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

/** Calls a replica by RPCs of grpc-js. */
export class UnaryLink implements Link {
  readonly address: string;
  readonly openedAt_ms = performance.now();
  readonly #client: Client;
  #inFlight = 0;
  #retired = false;

  /** @param connectsNow if not, the first call opens the connection */
  constructor(address: string, tls: ClientTls | undefined, connectsNow: boolean) {
    const { via, options } = channelTls(tls);
    this.address = address;
    this.#client = new Client(address, via, { ...options, ...CHANNEL_OPTIONS });
    if (connectsNow) this.#client.getChannel().getConnectivityState(true);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  call(outgoing: OutgoingCall): void {
    if (this.#retired) outgoing.fail(linkClosed());
    else this.#answerTo(outgoing).then(outgoing.succeed, outgoing.fail);
  }

  async *stream(outgoing: OutgoingStream): AsyncGenerator<unknown, void, undefined> {
    if (this.#retired) throw linkClosed();
    this.#begin();
    try {
      yield* streamedCall(this.#client, outgoing);
    } finally {
      this.#end();
    }
  }

  isServing(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) =>
      this.call({
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

  state(): ConnectionState {
    switch (this.#client.getChannel().getConnectivityState(!this.#retired)) {
      case connectivityState.READY:
        return 'connected';
      case connectivityState.TRANSIENT_FAILURE:
        return 'failed';
      default:
        return 'connecting';
    }
  }

  retire(): void {
    this.#retired = true;
    this.#closeIfDone();
  }

  async #answerTo(call: OutgoingCall): Promise<unknown> {
    const timeoutMs = Math.ceil(call.due_ms - performance.now()); // it may have waited on a call stream
    if (timeoutMs <= 0) throw deadlineExceeded();
    this.#begin();
    try {
      return decodeMessage(call.method.responseType, await unaryCall(this.#client, call, timeoutMs));
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    if (this.#inFlight >= MAX_OPEN_CALLS) throw tooManyCalls();
    this.#inFlight++;
  }

  #end(): void {
    this.#inFlight--;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#retired && this.#inFlight === 0) this.#client.close();
  }
}

const CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 100,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.use_local_subchannel_pool': 1, // a renewed link needs a new connection
} as const;

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
    /** Deferred: grpc-js would send a call that is cancelled in the moment it is made. */
    const abort = (): void => {
      setImmediate(() => call.cancel());
    };
    signal?.addEventListener('abort', abort);
  });
}
