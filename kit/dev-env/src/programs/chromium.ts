import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptProgram, isOnPath } from './apt.ts';

const SHELL = 'chromium-headless-shell';
const PROGRAMS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds Chromium for tests: the first on PATH, else apt's with a font. The headless shell comes first: it draws no
 * window, and takes a third less CPU than a whole Chromium in headless mode. Undefined, with a message, if neither is
 * possible.
 */
export async function chromiumProgram(): Promise<string | undefined> {
  const program = PROGRAMS.find(isOnPath) ?? (await aptProgram(SHELL, SHELL, 'fonts-liberation'));
  return program === undefined ? undefined : pathOf(program);
}

function pathOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync);
}
