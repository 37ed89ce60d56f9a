import { ConfigError } from '@gatehouse/kit/env';
import type { Logger } from '@gatehouse/kit/log';
import type { PolicyRule } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { followFiles } from '../follow-files.ts';
import type { RuleIndexes } from '../reference/reference.ts';
import { type DescriptorSet, type Domain, descriptorSet } from './descriptor-set.ts';
import type { Descriptors } from './descriptors.ts';
import type { Algorithm } from './file/definitions.ts';
import { problemText } from './file/problem.ts';
import { type Configuration, filesAt } from './file/read-configuration.ts';
import { readInThread } from './file/read-in-thread.ts';

export interface OpenDescriptors extends Descriptors {
  close(): void;
}

export interface DescriptorsOptions {
  /** A file, or a folder of files. */
  readonly path: string;
  readonly algorithm: Algorithm;
  readonly indexOf: RuleIndexes;
  readonly log: Logger;
}

/** A log line of more would be cut off by most collectors. */
const MAX_LOGGED_PROBLEMS = 100;

/**
 * Reads the files of descriptors, and reads them again when one changes, and on SIGHUP. If one is invalid, every problem is
 * logged, and the old limits stay.
 *
 * @throws ConfigError with every problem of the first files
 */
export async function openDescriptors(options: DescriptorsOptions): Promise<OpenDescriptors> {
  const { path, algorithm, indexOf } = options;
  const { domains, problems } = await readInThread([path]);
  if (problems.length > 0)
    throw new ConfigError(problems.map((one) => `RATELIMIT_DESCRIPTORS ${problemText(one)}`));
  return new DescriptorFiles(options, descriptorSet(domains, algorithm, indexOf));
}

class DescriptorFiles implements OpenDescriptors {
  readonly #options: DescriptorsOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #unfollow: () => void;
  #set: DescriptorSet;
  /** The reading that is under way. */
  #reading: Promise<void> | undefined;
  #isChangedAgain = false;

  constructor(options: DescriptorsOptions, set: DescriptorSet) {
    this.#options = options;
    this.#set = set;
    this.#unfollow = followFiles(
      () => filesAt(options.path),
      () => this.#reload(),
    );
  }

  domain(name: string): Domain | undefined {
    return this.#set.domains.get(name);
  }

  rules(): readonly PolicyRule[] {
    return this.#set.rules;
  }

  onReload(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#unfollow();
    this.#isChangedAgain = false;
  }

  /** One reading at a time: after a change meanwhile, one more. */
  #reload(): void {
    if (this.#reading !== undefined) {
      this.#isChangedAgain = true;
      return;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
      if (!this.#isChangedAgain) return;
      this.#isChangedAgain = false;
      this.#reload();
    });
  }

  async #read(): Promise<void> {
    const { path, log } = this.#options;
    try {
      this.#apply(await readInThread([path]));
    } catch (error) {
      log.error({ path, reason: String(error) }, 'new descriptors cannot be read: the old limits stay');
    }
  }

  #apply({ domains, problems }: Configuration): void {
    const { path, algorithm, indexOf, log } = this.#options;
    const { revision } = this.#set;
    if (problems.length > 0) {
      const shown = problems.slice(0, MAX_LOGGED_PROBLEMS).map(problemText);
      const context = { path, revision, problems: shown, count: problems.length };
      log.error(context, 'new descriptors cannot be used: the old limits stay');
      return;
    }
    const set = descriptorSet(domains, algorithm, indexOf);
    if (set.revision === revision) return;
    this.#set = set;
    for (const listener of this.#listeners) listener();
    log.info({ path, revision: set.revision, limits: set.rules.length }, 'the descriptors have changed');
  }
}
