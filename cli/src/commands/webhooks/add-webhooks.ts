import { Argument, type Command, Option } from 'commander';
import { addActions, idArgument, type NounAction } from '../../console/add-action.ts';
import { addressOption, jsonOption, TLS_HELP } from '../../options/common.ts';
import { CONSOLE_HELP, itemsOption } from '../../options/console.ts';
import { snowflake, url, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const DEFAULT_DELIVERIES = 50;
const MAX_DELIVERIES = 500;
const WEBHOOK = { title: 'a webhook', argument: 'webhook-id', folder: 'webhooks' };

export function addWebhooks(program: Command, runtime: Runtime): void {
  const webhooks = program
    .command('webhooks')
    .description(
      'find webhooks, execute, disable and enable them, show why executions posted nothing, try payloads',
    );

  addLooks(webhooks, runtime);
  addActions(webhooks, WEBHOOK, ACTIONS, runtime);
  addSend(webhooks, runtime);

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

function addLooks(webhooks: Command, runtime: Runtime): void {
  webhooks
    .command('find')
    .description('find webhooks, the newest first')
    .argument(
      '[query]',
      'an ID, the ID of a guild, a channel or a creator, or the start of a name; none: all',
      '',
    )
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (query, options) => {
      const { findWebhooks } = await import('./find-webhooks.ts');
      await findWebhooks(query, options, runtime);
    });

  webhooks
    .command('noisy')
    .description('print the webhooks with the most executions in this hour and the one before it')
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (options) => {
      const { noisyWebhooks } = await import('./find-webhooks.ts');
      await noisyWebhooks(options, runtime);
    });

  webhooks
    .command('show')
    .description('show a webhook, the outcomes of its executions, and those that posted nothing')
    .addArgument(idArgument(WEBHOOK))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { showWebhook } = await import('./show-webhook.ts');
      await showWebhook(id, options, runtime);
    });
}

function addSend(webhooks: Command, runtime: Runtime): void {
  webhooks
    .command('send')
    .description('execute a webhook, and print the message that it posted')
    .argument('<url>', "the webhook's URL with its token; - reads standard input", urlOrInput)
    .option('--content <text>', 'the text of the message')
    .addOption(
      new Option('--body <file>', 'the body of the request, JSON; - reads standard input').conflicts(
        'content',
      ),
    )
    .option('--username <name>', "another name than the webhook's")
    .addOption(jsonOption('print the answer as one JSON object'))
    .addHelpText('after', SEND_HELP)
    .action(async (target, options, command: Command) => {
      if (options.content === undefined && options.body === undefined)
        command.error('error: a message is missing: --content TEXT, or --body FILE');
      if (options.body !== undefined && options.username !== undefined)
        command.error('error: --username is for --content; a body has its own');
      if (target === '-' && options.body === '-') command.error('error: only one input can be -');
      const { send } = await import('./send.ts');
      await send(target, options, runtime);
    });
}

const SEND_HELP = `
A URL on the command line shows in the list of processes and in the history of the shell: prefer -.
Exit code 1: the webhook refused it.`;

function urlOrInput(text: string): string {
  return text === '-' ? text : url('http', 'https')(text);
}

const ACTIONS: readonly NounAction[] = [
  {
    name: 'disable',
    description: "refuse all requests with a webhook's token until it is enabled",
    done: (id) => `Webhook ${id} is disabled.`,
  },
  { name: 'enable', description: 'end a disablement', done: (id) => `Webhook ${id} is enabled.` },
];
