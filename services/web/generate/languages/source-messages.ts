import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findMessages } from './find-messages.ts';

/** A message, and where it is used: `src/home/home.tsx:12`. */
export interface UsedMessage {
  readonly id: string;
  readonly place: string;
  readonly isEarly: boolean;
}

/** The messages of all sources below a folder, without those below the folders of `others`. */
export function sourceMessages(folder: string, others: readonly string[]): readonly UsedMessage[] {
  return sourcesBelow(folder, others).flatMap((path) =>
    findMessages(path, readFileSync(path, 'utf8')).map(({ id, line, isEarly }) => ({
      id,
      place: `${path}:${line}`,
      isEarly,
    })),
  );
}

/** The TypeScript files below a folder, without those below the folders of `others`. */
export function sourcesBelow(folder: string, others: readonly string[]): readonly string[] {
  const isIn = (path: string, other: string) => !relative(other, path).startsWith('..');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !others.some((other) => isIn(path, other)))
    .sort();
}
