import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from '../../log.ts';
import type { AccessOf } from '../access.ts';
import { bytesMethod } from '../bytes-method.ts';
import type { CallWatch, ServedBidi } from '../dispatch.ts';
import { serverCallOf } from '../unary/unary-server.ts';
import { BidiStream } from './bidi-stream.ts';

export interface BidiMethods {
  /** Lets open streams answer what they have read, then ends them. Later ones end at once. */
  drain(): void;
}

/** Serves methods with streams in both directions, as streaming RPCs of gRPC. */
export function addBidiMethods(
  server: Server,
  methods: readonly ServedBidi[],
  accessOf: AccessOf<ServedBidi>,
  log: Logger,
  watch: CallWatch,
): BidiMethods {
  if (methods.length === 0) return { drain: () => undefined }; // grpc-js accepts no service without methods
  const open = new Set<BidiStream>();
  let draining = false;

  function handlerOf({ path }: ServedBidi) {
    return (grpc: ServerDuplexStream<Uint8Array, Uint8Array>): void => {
      const access = accessOf(grpc);
      const method = access.methods.get(path);
      if (method === undefined) {
        grpc.emit('error', { code: access.refuse(path), details: 'this peer may not call that' });
        return;
      }
      const call = serverCallOf(grpc, method.acceptsCaller, log);
      const stream = new BidiStream({ grpc, method, call, watch });
      open.add(stream);
      grpc.on('close', () => open.delete(stream));
      stream.open();
      if (draining) stream.stop();
    };
  }

  server.addService(
    Object.fromEntries(methods.map(({ path }) => [path, bytesMethod(path, 'bidirectional stream')])),
    Object.fromEntries(methods.map((method) => [method.path, handlerOf(method)])),
  );
  return {
    drain: () => {
      draining = true;
      for (const stream of open) stream.stop();
    },
  };
}
