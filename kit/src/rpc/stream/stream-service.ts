import { CallsDefinition } from '@gatehouse/proto/kit/calls';
import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from '../../log.ts';
import type { AccessOf } from '../access.ts';
import { bytesMethod } from '../bytes-method.ts';
import { methodPath } from '../definition.ts';
import type { CallWatch } from '../dispatch.ts';
import { ServerStream } from './server-stream.ts';

export interface CallStreams {
  /** Asks the clients of all streams, open and future, to make their calls elsewhere. */
  drain(): void;
}

/** Serves the call stream, kit.v1.Calls/Open. */
export function addCallStream(
  server: Server,
  accessOf: AccessOf,
  log: Logger,
  watch: CallWatch,
): CallStreams {
  const streams = new Set<ServerStream>();
  let draining = false;
  server.addService(
    { open: bytesMethod(methodPath(CallsDefinition, CallsDefinition.methods.open), 'bidirectional stream') },
    {
      open: (stream: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        const served = new ServerStream({ stream, access: accessOf(stream), log, watch });
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
