import { resolve } from 'node:path';

/** Resolves a path of the command line. npm runs scripts in the root of the clone and sets INIT_CWD to the caller's folder. */
export function callerPath(path: string, { INIT_CWD }: NodeJS.ProcessEnv): string {
  return INIT_CWD === undefined ? path : resolve(INIT_CWD, path);
}
