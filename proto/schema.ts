import { fileURLToPath } from 'node:url';

/** The folder that the .proto files' imports are relative to. */
export const protoRoot = fileURLToPath(new URL('.', import.meta.url));
