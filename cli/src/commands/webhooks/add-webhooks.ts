import { Argument, type Command, Option } from 'commander';
import { addressOption, jsonOption, TLS_HELP } from '../../options/common.ts';
import { snowflake, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const DEFAULT_DELIVERIES = 50;
const MAX_DELIVERIES = 500;

export function addWebhooks(program: Command, runtime: Runtime): void {
  const webhooks = program
    .command('webhooks')
    .description('show why executions of a webhook posted nothing, and try payloads');

  webhooks
    .command('deliveries')
    .description(
      'print the executions of a webhook that posted nothing in the last 24 hours, the newest first, and their ' +
        'number by reason',
    )
    .addArgument(new Argument('<webhook-id>').argParser(snowflake('a webhook')))
    .addOption(
      new Option('--limit <count>', `at most this many executions, up to ${MAX_DELIVERIES}`)
        .argParser(wholeNumber(1, MAX_DELIVERIES))
        .default(DEFAULT_DELIVERIES),
    )
    .addOption(addressOption('webhook-delivery'))
    .addOption(jsonOption())
    .addHelpText('after', TLS_HELP)
    .action(async (webhook_id, options) => {
      const { deliveries } = await import('./deliveries.ts');
      await deliveries(webhook_id, options, runtime);
    });

  webhooks
    .command('try')
    .description('print the message of a payload, or why there is none; needs no running service')
    .addArgument(
      new Argument('<format>', 'the format of the payload').choices(['codehost', 'chatcompat', 'statuspage']),
    )
    .argument('<file>', 'the body of the request; - reads standard input')
    .option('--event <event>', 'codehost: the value of X-Codehost-Event, such as push')
    .option('--form', 'the body is a form, payload=<json>')
    .addOption(jsonOption())
    .addHelpText('after', '\nExit code 0: there is a message; 1: there is none.')
    .action(async (format, file, options, command: Command) => {
      if (options.event !== undefined && format !== 'codehost')
        command.error(`error: ${format} has no --event`);
      const { tryPayload } = await import('./try.ts');
      await tryPayload({ ...options, format, file }, runtime);
    });
}
