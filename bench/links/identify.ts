import { readFileSync } from 'node:fs';
import { createFileRegistry, type DescMethod, type DescMethodUnary, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { AuthServiceDefinition, IdentifyRequest, IdentifyResponse } from '@gatehouse/proto/auth';
import { compiledContracts } from '@gatehouse/proto/schema';
import type { MethodDefinition } from '@grpc/grpc-js';

// The RPC of this benchmark, auth's Identify, described for each library.

const { fullName, methods } = AuthServiceDefinition;

/** For grpc-js: serialised by the generated code, as in the kit. */
export const GRPC_JS_IDENTIFY: MethodDefinition<IdentifyRequest, IdentifyResponse> = {
  path: `/${fullName}/${methods.identify.name}`,
  requestStream: false,
  responseStream: false,
  requestSerialize: (message) => Buffer.from(IdentifyRequest.encode(message).finish()),
  requestDeserialize: (bytes) => IdentifyRequest.decode(bytes),
  responseSerialize: (message) => Buffer.from(IdentifyResponse.encode(message).finish()),
  responseDeserialize: (bytes) => IdentifyResponse.decode(bytes),
};

/** For connect-node: serialised by protobuf-es, from the compiled contract. */
export function connectIdentify(): DescMethodUnary {
  const files = fromBinary(FileDescriptorSetSchema, readFileSync(compiledContracts));
  const service = createFileRegistry(files).getService(fullName);
  const method = service?.methods.find(({ name }) => name === methods.identify.name);
  if (method === undefined || !isUnary(method)) throw new Error(`${fullName} has no unary Identify`);
  return method;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}
