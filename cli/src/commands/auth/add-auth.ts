import { type Command, InvalidArgumentError, Option } from 'commander';
import { addressOption, jsonOption, TLS_HELP } from '../../options/common.ts';
import { durationMs, snowflake, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 100_000;

export function addAuth(program: Command, runtime: Runtime): void {
  const auth = program.command('auth').description("auth's audit log, and its encrypted rows");

  auth
    .command('events')
    .description('print the newest entries of the audit log, the newest last')
    .addOption(new Option('--account <id>', 'only of this account').argParser(snowflake('an account')))
    .addOption(
      new Option('--kind <kind>', 'only this kind and those below: login includes login.failed').argParser(
        kind,
      ),
    )
    .addOption(
      new Option('--since <time>', 'only of the last 90s, 15m, 1h, 7d and so on').argParser(durationMs),
    )
    .addOption(
      new Option('--limit <count>', `at most this many, up to ${MAX_EVENTS}`)
        .argParser(wholeNumber(1, MAX_EVENTS))
        .default(DEFAULT_EVENTS),
    )
    .option('-f, --follow', 'then print new entries until interrupted')
    .addOption(addressOption('auth'))
    .addOption(jsonOption())
    .addHelpText('after', TLS_HELP)
    .action(async (options) => {
      const { events } = await import('./events.ts');
      await events(options, runtime);
    });

  auth
    .command('reencrypt')
    .description(
      'encrypt again, with the first key of AUTH_SECRET_KEY, all rows that its other keys encrypted. The service ' +
        'keeps running. Prints the rows that are left under each key; a key without rows can be removed. May be ' +
        'interrupted and run again.',
    )
    .option('--dry-run', 'only count')
    .addOption(addressOption('auth'))
    .addOption(jsonOption())
    .addHelpText('after', REENCRYPT_HELP)
    .action(async (options) => {
      const { reencrypt } = await import('./reencrypt.ts');
      await reencrypt(options, runtime);
    });
}

const REENCRYPT_HELP = `
Name all replicas with --address: they must have the same first key.
Exit code 1: rows are left that the first key cannot decrypt; 3: also if the replicas' first keys differ.
${TLS_HELP}`;

function kind(text: string): string {
  if (!/^[a-z][a-z0-9_.]{0,63}$/.test(text))
    throw new InvalidArgumentError('It must be a kind of event, such as login.failed.');
  return text;
}
