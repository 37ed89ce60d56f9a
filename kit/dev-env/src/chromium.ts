import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptProgram, isOnPath } from './apt.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Where the Chromium to test with is: the first on PATH, else apt's (124 MB, 414 MB on disk) with a font to write in.
 * Undefined where there is no way to one; it says why.
 */
export async function chromiumProgram(): Promise<string | undefined> {
  const program = PROGRAMS.find(isOnPath) ?? (await aptProgram('chromium', 'chromium', 'fonts-liberation'));
  return program === undefined ? undefined : placeOf(program);
}

function placeOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync);
}
