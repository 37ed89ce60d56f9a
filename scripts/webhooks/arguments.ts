import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printable } from '@gatehouse/cli/output/printable';
import { serviceAddress } from '@gatehouse/cli/suite/addresses';
import { isSnowflake } from '@gatehouse/kit/snowflake';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

export const HELP = `npm run webhooks -- deliveries WEBHOOK_ID [--limit N]
npm run webhooks -- try codehost FILE --event EVENT [--form]
npm run webhooks -- try chatcompat FILE [--form]
npm run webhooks -- try statuspage FILE [--form]

deliveries asks a running webhook-delivery service why nothing arrived: it prints the executions of a webhook that
posted nothing in the last 24 hours, the newest first, and how many there were for each reason.

  --limit N      at most N executions, 1 to ${MAX_LIMIT} (${DEFAULT_LIMIT})
  --address A    host:port of the service, or several separated by commas (WEBHOOK_DELIVERY_ADDRESS,
                 or where npm start has it with this PORT or DATA_DIR: 127.0.0.1:8085)

try shows what a payload becomes, or why nothing. It needs no running service.

  FILE           the body of the request; - is standard input
  --event EVENT  the value of X-Codehost-Event, such as push
  --form         the body is a form, payload=<json>, as application/x-www-form-urlencoded

Both commands take:

  --json         one line of JSON, for scripts: npm run --silent webhooks -- try statuspage FILE --json
  --help         this text

If the service requires mutual TLS, set RPC_TLS_DIR to a folder with the operator's certificate (operator.pem,
operator-key.pem, ca.pem), or RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA the three files.

Exit codes: 0 done, try: there is a message; 1 try: there is none; 2 the command line is wrong, or FILE cannot be read;
3 the service does not answer.
`;

/** The command line is wrong. */
export class UsageError extends Error {
  constructor(message: string, help = `\n\n${HELP}`) {
    super(printable(message) + help);
    this.name = 'UsageError';
  }
}

export interface DeliveriesOptions {
  readonly command: 'deliveries';
  readonly webhook_id: string;
  readonly limit: number;
  readonly address: string;
  readonly json: boolean;
}

const DIALECTS = ['codehost', 'chatcompat', 'statuspage'] as const;

export interface TryOptions {
  readonly command: 'try';
  readonly dialect: (typeof DIALECTS)[number];
  /** A path; "-" is standard input. */
  readonly file: string;
  readonly event: string | undefined;
  readonly form: boolean;
  readonly json: boolean;
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  deliveries: ['limit', 'address'],
  try: ['event', 'form'],
};
const OPTIONS_OF_ALL = ['json', 'help'];

/** @throws UsageError */
export function readArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): DeliveriesOptions | TryOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [command, ...operands] = positionals;
  if (command === undefined) throw new UsageError('A command is missing.');
  const options = Object.hasOwn(OPTIONS_OF, command) ? OPTIONS_OF[command] : undefined;
  if (options === undefined) throw new UsageError(`Unknown command ${command}.`);
  const foreign = Object.keys(values).find((name) => ![...OPTIONS_OF_ALL, ...options].includes(name));
  if (foreign !== undefined) throw new UsageError(`${command} has no option --${foreign}.`);
  const json = values.json === true;
  if (command === 'try') return { command, json, ...readTry(operands, values, env) };
  return {
    command: 'deliveries',
    json,
    webhook_id: readWebhookId(operands),
    limit: values.limit === undefined ? DEFAULT_LIMIT : readLimit(values.limit),
    address: readAddress(values.address ?? serviceAddress(env, 'webhook-delivery')),
  };
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        limit: { type: 'string' },
        address: { type: 'string' },
        event: { type: 'string' },
        form: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readTry([name, file, ...more]: readonly string[], { event, form }: Values, env: NodeJS.ProcessEnv) {
  const dialect = DIALECTS.find((known) => known === name);
  if (dialect === undefined) throw new UsageError(`try needs one of ${DIALECTS.join(', ')}.`);
  if (file === undefined) throw new UsageError('try needs a file, or - for standard input.');
  if (more.length > 0) throw new UsageError(`try takes no argument ${more.join(' ')}.`);
  if (event !== undefined && dialect !== 'codehost') throw new UsageError(`${dialect} has no --event.`);
  return { dialect, file: fromCaller(file, env), event, form: form === true };
}

/** A path counts from where npm was called; npm itself goes to the root of the repository. */
function fromCaller(file: string, { INIT_CWD }: NodeJS.ProcessEnv): string {
  return file === '-' || INIT_CWD === undefined ? file : resolve(INIT_CWD, file);
}

function readWebhookId([id, ...more]: readonly string[]): string {
  if (id === undefined) throw new UsageError('deliveries needs the ID of a webhook.');
  if (!isSnowflake(id)) throw new UsageError(`${id} is not the ID of a webhook.`);
  if (more.length > 0) throw new UsageError(`deliveries takes no argument ${more.join(' ')}.`);
  return id;
}

function readLimit(text: string): number {
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** Of several replicas any can answer: they share the deliveries. */
function readAddress(text: string): string {
  const addresses = text.split(',').map((address) => address.trim());
  if (!addresses.every((address) => /^\S+:[0-9]{1,5}$/.test(address)))
    throw new UsageError('--address must be host:port, or several separated by commas.');
  return addresses.join(',');
}
