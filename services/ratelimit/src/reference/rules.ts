import { readFileSync } from 'node:fs';
import { ConfigError } from '@gatehouse/kit/env';
import type { Logger } from '@gatehouse/kit/log';
import { followFiles } from '../follow-files.ts';
import { InvalidReference } from './read-rows.ts';
import { parseReference, type Reference, type RuleIndexes, ruleIndexes } from './reference.ts';

/** The current rules. */
export interface Rules {
  current(): Reference;
  /** Adds a listener that is called with changed rules, before any decision under them. */
  onReload(listener: (reference: Reference) => void): void;
}

export interface OpenRules extends Rules {
  close(): void;
}

export interface RulesOptions {
  readonly file: string;
  readonly log: Logger;
  /** Its own by default. */
  readonly indexOf?: RuleIndexes;
}

/**
 * Reads the bucket reference, and reads it again when its file changes, and on SIGHUP. An invalid file is logged, and the
 * previous rules stay. A rule keeps its index by its name, so that levels are carried over.
 *
 * @throws ConfigError if the first file is invalid
 */
export function openRules(options: RulesOptions): OpenRules {
  return new RulesFile(options);
}

class RulesFile implements OpenRules {
  readonly #file: string;
  readonly #log: Logger;
  readonly #indexOf: RuleIndexes;
  readonly #listeners: ((reference: Reference) => void)[] = [];
  readonly #unfollow: () => void;
  #reference: Reference;

  constructor({ file, log, indexOf = ruleIndexes() }: RulesOptions) {
    this.#file = file;
    this.#log = log;
    this.#indexOf = indexOf;
    this.#reference = firstReference(file, indexOf);
    this.#unfollow = followFiles(
      () => [file],
      () => this.#tryReload(),
    );
  }

  current(): Reference {
    return this.#reference;
  }

  onReload(listener: (reference: Reference) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#unfollow();
  }

  #tryReload(): void {
    const file = this.#file;
    try {
      const read = parseReference(readFileSync(file, 'utf8'), this.#indexOf);
      if (read.revision === this.#reference.revision) return;
      const changed = changes(this.#reference, read);
      this.#reference = read;
      for (const listener of this.#listeners) listener(read);
      this.#log.info({ file, revision: read.revision, changed }, 'the rules have changed');
    } catch (error) {
      const reason = error instanceof InvalidReference ? error.message : String(error);
      const { revision } = this.#reference;
      this.#log.error({ file, revision, reason }, 'new rules cannot be used: the old ones stay');
    }
  }
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
