import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from './parsers.ts';

/** Options of commands that ask the console. */

const MAX_REASON = 512;
const DEFAULT_ITEMS = 50;
const MAX_ITEMS = 10_000;

/** Every action has a reason. */
export function reasonOption(): Option {
  return new Option('--reason <text>', "why, for the operators' log; required")
    .argParser((text) => {
      const reason = text.trim();
      if (reason === '' || [...reason].length > MAX_REASON)
        throw new InvalidArgumentError(`It must have 1 to ${MAX_REASON} characters.`);
      return reason;
    })
    .makeOptionMandatory();
}

export function itemsOption(): Option {
  return new Option('--limit <count>', `at most this many, up to ${MAX_ITEMS}`)
    .argParser(wholeNumber(1, MAX_ITEMS))
    .default(DEFAULT_ITEMS);
}

/** For the help text of commands that ask the console. */
export const CONSOLE_HELP = `
The console is that of GATEHOUSE_CONSOLE_URL, of --profile (gatehouse profiles --help), or of the stack on this
machine; GATEHOUSE_TOKEN, or the profile, has the operator's token.
Exit code 1: the console refused it, or there is no such thing.`;
