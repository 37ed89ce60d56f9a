import { fileURLToPath } from 'node:url';

/** The repository's folder for downloaded and built programs, which is not committed. */
export const TOOLCHAIN_FOLDER = fileURLToPath(new URL('../../../../.toolchain/', import.meta.url));
