import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP, itemsOption, reasonOption } from '../../options/console.ts';
import { durationMs, timeMs, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const MAX_LIMIT = 0xffff_ffff;
const MAX_WINDOW_SECONDS = 86_400;
const MAX_IDENTITY_BYTES = 512;

/** Adds the commands that look at the limits of one identity, and change them. They ask the console. */
export function addIdentities(limits: Command, runtime: Runtime): void {
  limits
    .command('lookup')
    .description('show all buckets in which an identity has a level, and its overrides')
    .argument('<identity>', IDENTITY, identity)
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { lookUp } = await import('./look-up.ts');
      await lookUp(id, options, runtime);
    });

  limits
    .command('denied')
    .description('print the identities that were denied most often in the last ten minutes')
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (options) => {
      const { denied } = await import('./denied.ts');
      await denied(options, runtime);
    });

  limits
    .command('reset')
    .description('empty all buckets of an identity, or one')
    .argument('<identity>', IDENTITY, identity)
    .option('--bucket <bucket>', 'only this bucket')
    .addOption(reasonOption())
    .addOption(jsonOption('print the answer as one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { reset } = await import('./reset.ts');
      await reset(id, options, runtime);
    });

  limits
    .command('overrides')
    .description('print the overrides, those that expire first at the front')
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (options) => {
      const { overrides } = await import('./overrides.ts');
      await overrides(options, runtime);
    });

  addOverride(limits, runtime);
}

function addOverride(limits: Command, runtime: Runtime): void {
  limits
    .command('override')
    .description('give an identity another limit until a time, exempt it, or end that')
    .argument('<identity>', IDENTITY, identity)
    .option('--bucket <bucket>', 'only in this bucket (default: in all)')
    .addOption(new Option('--limit <count>', 'the limit').argParser(wholeNumber(1, MAX_LIMIT)))
    .addOption(
      new Option('--window <seconds>', 'the window of --limit').argParser(wholeNumber(1, MAX_WINDOW_SECONDS)),
    )
    .addOption(new Option('--exempt', 'admit it without counting').conflicts(['limit', 'window']))
    .addOption(new Option('--for <time>', 'until 90s, 15m, 2h, 7d and so on from now').argParser(durationMs))
    .addOption(
      new Option('--until <time>', 'until this time, such as 2030-01-31T12:00Z')
        .argParser(timeMs)
        .conflicts('for'),
    )
    .addOption(
      new Option('--remove', 'end the override of this identity and bucket').conflicts([
        'limit',
        'window',
        'exempt',
        'for',
        'until',
      ]),
    )
    .addOption(reasonOption())
    .addOption(jsonOption('print the answer as one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options, command: Command) => {
      if (!options.remove) requireOverride(options, command);
      const { override } = await import('./override.ts');
      await override(id, options, runtime);
    });
}

function requireOverride(
  options: { exempt?: boolean; limit?: number; window?: number; for?: number; until?: number },
  command: Command,
): void {
  if (!options.exempt && (options.limit === undefined || options.window === undefined))
    command.error('error: an override has --limit and --window, or --exempt');
  if (options.for === undefined && options.until === undefined)
    command.error('error: an override ends: --for TIME, or --until TIME');
}

const IDENTITY =
  'one value of a key, such as account:1, ip:192.0.2.1 or webhook:3; or a login name or an email address';

function identity(text: string): string {
  // An ID alone is no login name: its kind was forgotten.
  if (/^\s*\d*\s*$/.test(text) || Buffer.byteLength(text) > MAX_IDENTITY_BYTES)
    throw new InvalidArgumentError('It must be KIND:VALUE, such as account:1, or a login name.');
  return text;
}
