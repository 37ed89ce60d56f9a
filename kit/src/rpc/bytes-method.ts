import type { MethodDefinition } from '@grpc/grpc-js';
import { asBuffer } from './messages/codec.ts';

/** A method of grpc-js whose messages are bytes. The kit decodes them itself, in the same way for every link. */
export function bytesMethod(
  path: string,
  kind: 'unary' | 'server stream' | 'bidirectional stream',
): MethodDefinition<Uint8Array, Uint8Array> {
  const identity = (bytes: Buffer): Buffer => bytes;
  return {
    path,
    requestStream: kind === 'bidirectional stream',
    responseStream: kind !== 'unary',
    requestSerialize: asBuffer,
    requestDeserialize: identity,
    responseSerialize: asBuffer,
    responseDeserialize: identity,
  };
}
