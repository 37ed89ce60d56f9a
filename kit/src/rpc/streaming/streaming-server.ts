import type { Server, ServerWritableStream } from '@grpc/grpc-js';
import { Status } from '../../fault.ts';
import type { Logger } from '../../log.ts';
import type { AccessOf } from '../access.ts';
import { bytesMethod } from '../bytes-method.ts';
import type { CallWatch, ServedStream } from '../dispatch.ts';
import { encodeMessage } from '../messages/codec.ts';
import { failureStatus, serverCallOf } from '../unary/unary-server.ts';
import { dispatchStream } from './dispatch-stream.ts';
import { messageWriter } from './message-writer.ts';

export interface StreamingMethods {
  /** Ends all open streams. Later ones end at once. */
  drain(): void;
}

/** Serves methods with a stream of responses, as streaming RPCs of gRPC. */
export function addStreamingMethods(
  server: Server,
  methods: readonly ServedStream[],
  accessOf: AccessOf<ServedStream>,
  log: Logger,
  watch: CallWatch,
): StreamingMethods {
  if (methods.length === 0) return { drain: () => undefined }; // grpc-js accepts no service without methods
  const open = new Set<() => void>();
  let draining = false;

  function handlerOf({ path }: ServedStream) {
    return (grpc: ServerWritableStream<Uint8Array, Uint8Array>): void => {
      const access = accessOf(grpc);
      const method = access.methods.get(path);
      if (method === undefined) {
        grpc.emit('error', { code: access.refuse(path), details: 'this peer may not call that' });
        return;
      }
      const call = serverCallOf(grpc, method.acceptsCaller, log);
      const stop = (): void => call.abort();
      open.add(stop);
      if (draining) stop();
      const { request: bytes } = grpc;
      const request = { bytes, from: 0, to: bytes.length };
      const write = messageWriter(grpc, call.signal);
      const send = (response: unknown) => write(encodeMessage(method.responseType, response));
      void dispatchStream(method, request, call, send, watch, {
        end: () => grpc.end(),
        stop: () => grpc.emit('error', STOPPING),
        fail: (failure) => grpc.emit('error', failureStatus(failure)),
        isStopping: () => draining && !grpc.cancelled,
      }).finally(() => open.delete(stop));
    };
  }

  server.addService(
    Object.fromEntries(methods.map(({ path }) => [path, bytesMethod(path, 'server stream')])),
    Object.fromEntries(methods.map((method) => [method.path, handlerOf(method)])),
  );
  return {
    drain: () => {
      draining = true;
      for (const stop of open) stop();
    },
  };
}

/** Without details of our own, so that clients treat this server as lost and try another one. */
const STOPPING = { code: Status.UNAVAILABLE, details: 'the server stops' };
