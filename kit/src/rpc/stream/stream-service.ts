import { CallsDefinition } from '@gatehouse/proto/kit/calls';
import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from '../../log.ts';
import type { AccessOf } from '../access.ts';
import { bytesMethod } from '../bytes-method.ts';
import { methodPath } from '../definition.ts';
import type { CallWatch } from '../dispatch.ts';
import { type ServedStream, serveStream } from './stream-server.ts';

/** Serves the call stream. `drain` tells the clients of all streams that the server is shutting down. */
export function addCallStream(
  server: Server,
  accessOf: AccessOf,
  log: Logger,
  watch: CallWatch,
): ServedStream {
  const streams = new Set<ServedStream>();
  let draining = false;
  server.addService(
    { open: bytesMethod(methodPath(CallsDefinition, CallsDefinition.methods.open), 'stream') },
    {
      open: (stream: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        const served = serveStream(stream, accessOf(stream), log, watch);
        streams.add(served);
        stream.on('close', () => streams.delete(served));
        if (draining) served.drain();
      },
    },
  );
  return {
    drain: () => {
      if (draining) return;
      draining = true;
      for (const stream of streams) stream.drain();
    },
  };
}
