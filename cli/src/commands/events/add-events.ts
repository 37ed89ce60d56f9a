import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, TLS_HELP } from '../../options/common.ts';
import { commaSeparated, snowflake, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const MAX_COUNT = 1_000_000_000;
/** A week. */
const MAX_SECONDS = 604_800;

export function addEvents(program: Command, runtime: Runtime): void {
  program
    .command('events')
    .description("print new events of chat's and auth's logs, of all accounts, a line each")
    .option('-f, --follow', 'run until interrupted, as without --count and --for')
    .addOption(
      new Option('--types <type,…>', 'only these, such as MESSAGE_CREATE,CREDENTIAL_ENDED').argParser(
        commaSeparated(eventType),
      ),
    )
    .addOption(new Option('--guild <id>', 'only of this guild').argParser(snowflake('a guild')))
    .addOption(new Option('--account <id>', 'only to this account').argParser(snowflake('an account')))
    .addOption(new Option('--count <n>', 'end after this many events').argParser(wholeNumber(1, MAX_COUNT)))
    .addOption(new Option('--for <seconds>', 'end after this time').argParser(wholeNumber(1, MAX_SECONDS)))
    .addOption(jsonOption())
    .addHelpText('after', `${HELP}${TLS_HELP}`)
    .action(async (options) => {
      const { events } = await import('./events.ts');
      await events(options, runtime);
    });
}

const HELP = `
The services are those of CHAT_ADDRESS and AUTH_ADDRESS, of --profile, or of the stack on this machine.
"tail" prints what one session receives; "auth events" prints the audit log of accounts.
`;

function eventType(text: string): string {
  const type = text.toUpperCase();
  if (!/^[A-Z_]{1,64}$/.test(type))
    throw new InvalidArgumentError('It must be a type, such as MESSAGE_CREATE.');
  return type;
}
