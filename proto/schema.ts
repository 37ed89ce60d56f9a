import { fileURLToPath } from 'node:url';

/** The folder that the .proto files' imports are relative to. */
export const protoRoot = fileURLToPath(new URL('.', import.meta.url));

/** A FileDescriptorSet of all .proto files and what they import, as buf compiled them. */
export const compiledContracts = fileURLToPath(new URL('gen/contracts.binpb', import.meta.url));
