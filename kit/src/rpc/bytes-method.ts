import type { MethodDefinition } from '@grpc/grpc-js';
import { asBuffer } from './messages/codec.ts';

/** A method of grpc-js whose messages are bytes. The kit decodes them itself, in the same way for every link. */
export function bytesMethod(
  path: string,
  kind: 'unary' | 'server stream' | 'stream',
): MethodDefinition<Uint8Array, Uint8Array> {
  const same = (bytes: Buffer): Buffer => bytes;
  return {
    path,
    requestStream: kind === 'stream',
    responseStream: kind !== 'unary',
    requestSerialize: asBuffer,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  };
}
