import { type Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_NAMES } from '../../gateway-client/event-names.ts';
import { jsonOption } from '../../options/common.ts';
import { commaSeparated, snowflake, url, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const MAX_COUNT = 1_000_000_000;
/** A week. */
const MAX_SECONDS = 604_800;

export function addTail(program: Command, runtime: Runtime): void {
  program
    .command('tail')
    .description('print the events of a session live, a line each; resumes when the connection ends')
    .option('--token <token>', 'of an account or of a bot; - reads standard input (default: GATEWAY_TOKEN)')
    .addOption(
      new Option('--channel <id,…>', 'only of these channels').argParser(
        commaSeparated(snowflake('a channel')),
      ),
    )
    .addOption(
      new Option('--types <name,…>', 'only these events, such as MESSAGE_CREATE').argParser(
        commaSeparated(eventName),
      ),
    )
    .addOption(
      new Option('--count <n>', 'end after this many printed events').argParser(wholeNumber(1, MAX_COUNT)),
    )
    .addOption(new Option('--for <seconds>', 'end after this time').argParser(wholeNumber(1, MAX_SECONDS)))
    .addOption(
      new Option('--url <url>', 'the Gateway (default: GATEWAY_URL, or as the API says)')
        .argParser(url('ws', 'wss'))
        .conflicts('baseUrl'),
    )
    .addOption(
      new Option('--base-url <url>', 'the API (default: the stack on this machine)').argParser(
        url('http', 'https'),
      ),
    )
    .addOption(jsonOption('print JSON, one object a line: {"at", "s", "t", "d"}, d as the Gateway sent it'))
    .addHelpText('after', HELP)
    .action(async (options) => {
      const { tail } = await import('./tail.ts');
      await tail(options, runtime);
    });
}

const HELP = `
A token on the command line shows in the list of processes and in the history of the shell: prefer - or the
environment. Times are in UTC. READY and RESUMED are events too.

Exit code 0: interrupted, or ended by --count or --for; 1: the token was not accepted, or was revoked.`;

function eventName(text: string): string {
  const name = text.toUpperCase();
  if (!EVENT_NAMES.includes(name))
    throw new InvalidArgumentError(`There is no event "${text}". There are ${EVENT_NAMES.join(', ')}.`);
  return name;
}
