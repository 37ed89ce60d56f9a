import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptProgram, isOnPath } from './apt.ts';

const SHELL = 'chromium-headless-shell';
const PROGRAMS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Where the Chromium to test with is: the first on PATH, else apt's with a font to write in. The headless shell comes
 * first: it has no window to draw, and takes a third less of the processors than a whole Chromium that shows none.
 * Undefined where there is no way to one; it says why.
 */
export async function chromiumProgram(): Promise<string | undefined> {
  const program = PROGRAMS.find(isOnPath) ?? (await aptProgram(SHELL, SHELL, 'fonts-liberation'));
  return program === undefined ? undefined : placeOf(program);
}

function placeOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync);
}
