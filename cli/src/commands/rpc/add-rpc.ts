import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, TLS_HELP } from '../../options/common.ts';
import { oneAddress, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';
import { SERVERS } from '../../stack/servers.ts';

const MAX_DEADLINE_MS = 600_000;

export function addRpc(program: Command, runtime: Runtime): void {
  const rpc = program.command('rpc').description('list, describe and call the gRPC methods of the services');

  rpc
    .command('list')
    .description('print every method, or those of one service')
    .argument('[service]', 'a name, or its end: AuthService')
    .addOption(jsonOption('print one JSON array'))
    .action(async (service, options) => {
      const { list } = await import('./list.ts');
      list(service, options, runtime);
    });

  rpc
    .command('describe')
    .description(
      'print a service, message or enum, or a method with its messages, as its .proto file declares it',
    )
    .argument('<name>', 'a name, or its end: AuthService/Identify')
    .addOption(jsonOption('print one JSON object'))
    .action(async (name, options) => {
      const { describe } = await import('./describe.ts');
      describe(name, options, runtime);
    });

  rpc
    .command('call')
    .description(
      'call a method and print the response as JSON; the responses of a stream as they come, a line each',
    )
    .argument('<method>', 'SERVICE/METHOD, or its end: AuthService/Identify')
    .argument('[request]', 'JSON with the names of the .proto file; - reads standard input', '{}')
    .addOption(
      new Option('--address <host:port>', 'the process to call (default: that of the service)').argParser(
        oneAddress,
      ),
    )
    .addOption(
      new Option('--server <name>', 'the service to call, for methods that several serve').choices(SERVERS),
    )
    .addOption(
      new Option('--deadline <ms>', 'give up after this time (default: 10000; streams: none)').argParser(
        wholeNumber(1, MAX_DEADLINE_MS),
      ),
    )
    .addOption(
      new Option('--metadata <key=value>', 'metadata, repeatable; base64 for keys in -bin').argParser(
        collectPairs,
      ),
    )
    .addOption(jsonOption('print the response on one line'))
    .addHelpText('after', `${CALL_HELP}\n${TLS_HELP}`)
    .action(async (method, request, options) => {
      const { call } = await import('./call.ts');
      await call(method, request, options, runtime);
    });
}

const CALL_HELP = `
64-bit numbers are strings, bytes are base64, enums are names.
Exit code 1: the call failed; standard error has its status, message and details.`;

function collectPairs(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return [...before, text];
}
