import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { ConfigError } from '@gatehouse/kit/env';
import type { Logger } from '@gatehouse/kit/log';
import { InvalidReference } from './read-rows.ts';
import { parseReference, type Reference, type RuleIndexes, ruleIndexes } from './reference.ts';

/** The current rules. */
export interface Rules {
  current(): Reference;
  /** Calls with new rules, before any decision under them. */
  onReload(listener: (reference: Reference) => void): void;
}

export interface OpenRules extends Rules {
  close(): void;
}

export interface RulesOptions {
  readonly file: string;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 500;

/**
 * Reads the bucket reference, and reads it again when its file changes, and on SIGHUP. An invalid file is logged, and
 * the previous rules stay. A rule keeps its index by its name, so that levels are carried over.
 *
 * @throws ConfigError if the first file is invalid
 */
export function openRules({ file, log }: RulesOptions): OpenRules {
  const indexOf = ruleIndexes();
  const listeners: ((reference: Reference) => void)[] = [];
  let reference = firstReference(file, indexOf);

  function reload(): void {
    try {
      const read = parseReference(readFileSync(file, 'utf8'), indexOf);
      if (read.revision === reference.revision) return;
      const changed = changes(reference, read);
      reference = read;
      for (const listener of listeners) listener(read);
      log.info({ file, revision: read.revision, changed }, 'the rules have changed');
    } catch (error) {
      const reason = error instanceof InvalidReference ? error.message : String(error);
      log.error(
        { file, revision: reference.revision, reason },
        'new rules cannot be used: the old ones stay',
      );
    }
  }

  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
  process.on('SIGHUP', reload);
  return {
    current: () => reference,
    onReload: (listener) => void listeners.push(listener),
    close: () => {
      unwatchFile(file, reload);
      process.off('SIGHUP', reload);
    },
  };
}

function firstReference(file: string, indexOf: RuleIndexes): Reference {
  try {
    return parseReference(readFileSync(file, 'utf8'), indexOf);
  } catch (error) {
    throw new ConfigError([`RATELIMIT_RULES_FILE ${file}: ${(error as Error).message}`]);
  }
}

/** The names of added, removed and changed rows. */
function changes(before: Reference, after: Reference): string[] {
  const texts = (reference: Reference): Map<string, string> =>
    new Map(reference.rules.map((rule) => [rule.name, JSON.stringify(rule)]));
  const old = texts(before);
  const now = texts(after);
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
}
