import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { addresses, url } from '../../options/parsers.ts';
import { isProfileName, LOCAL } from '../../profiles/profile.ts';
import type { Runtime } from '../../runtime.ts';
import { SERVERS, type Server } from '../../stack/servers.ts';

export function addProfiles(program: Command, runtime: Runtime): void {
  const profiles = program
    .command('profiles')
    .description('the deployments that commands can act on: where they are, and how an operator enters them')
    .addHelpText('after', HELP);

  profiles
    .command('list')
    .description('print the profiles; * marks the one that commands use')
    .addOption(jsonOption())
    .action(async (options) => {
      const { listProfiles } = await import('./list-profiles.ts');
      listProfiles(options, runtime);
    });

  profiles
    .command('add')
    .description('add a profile, or set these settings of an existing one')
    .argument('<name>', 'a name of a-z, 0-9, ".", "_" and "-"', storedName)
    .addOption(new Option('--console-url <url>', 'the console').argParser(url('http', 'https')))
    .option('--token <token>', "an operator's token for that console; - reads standard input")
    .addOption(new Option('--base-url <url>', 'the edge').argParser(url('http', 'https')))
    .addOption(new Option('--gateway-url <url>', 'the WebSocket Gateway').argParser(url('ws', 'wss')))
    .addOption(
      new Option(
        '--address <service=host:port,…>',
        'where commands call a service; give it again for each further service',
      ).argParser(serviceAddresses),
    )
    .option('--rpc-tls-dir <folder>', 'has operator.pem, operator-key.pem and ca.pem, for calls of services')
    .addOption(jsonOption('print JSON, without the token'))
    .addHelpText('after', TOKEN_HELP)
    .action(async (name, options) => {
      const { addProfile } = await import('./add-profile.ts');
      await addProfile(name, options, runtime);
    });

  profiles
    .command('remove')
    .description('remove a profile with its token')
    .argument('<name>', 'a profile', storedName)
    .addOption(jsonOption())
    .action(async (name, options) => {
      const { removeProfile } = await import('./remove-profile.ts');
      removeProfile(name, options, runtime);
    });

  profiles
    .command('use')
    .description('make commands use a profile unless they name another')
    .argument('<name>', `a profile, or ${LOCAL}: the stack on this machine`)
    .addOption(jsonOption())
    .action(async (name, options) => {
      const { useProfile } = await import('./use-profile.ts');
      useProfile(name, options, runtime);
    });
}

const HELP = `
A command uses the profile of --profile, else of GATEHOUSE_PROFILE, else the one that "use" chose, else ${LOCAL}: the
stack that npm start runs on this machine. GATEHOUSE_CONSOLE_URL, GATEHOUSE_TOKEN, GATEWAY_URL and the variables of
addresses replace settings of a profile, but not of one that --profile names.
The file is gatehouse/config.json in XDG_CONFIG_HOME or ~/.config. Only its user may read it.`;

const TOKEN_HELP = `
A token on the command line shows in the list of processes and in the history of the shell: prefer -.
"gatehouse operators add NAME --token" makes a token.`;

function storedName(text: string): string {
  if (text === LOCAL) throw new InvalidArgumentError(`${LOCAL} is the stack on this machine.`);
  if (!isProfileName(text))
    throw new InvalidArgumentError('It must begin with a-z or 0-9, and have only these, ".", "_" and "-".');
  return text;
}

function serviceAddresses(
  text: string,
  earlier: Readonly<Partial<Record<Server, string>>> = {},
): Readonly<Partial<Record<Server, string>>> {
  const end = text.indexOf('=');
  const server = SERVERS.find((name) => name === text.slice(0, end));
  if (server === undefined)
    throw new InvalidArgumentError(`It must be SERVICE=host:port. Services: ${SERVERS.join(', ')}.`);
  return { ...earlier, [server]: addresses(text.slice(end + 1)) };
}
