import { fileURLToPath } from 'node:url';

/** The root folder of the .proto files' imports. */
export const protoRoot = fileURLToPath(new URL('.', import.meta.url));

/** A FileDescriptorSet of all .proto files and their imports, as buf compiled them. */
export const compiledContracts = fileURLToPath(new URL('gen/contracts.binpb', import.meta.url));
