import { parseArgs } from 'node:util';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { serviceAddress } from '../running-suite.ts';
import { printable } from './printable.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

export const HELP = `npm run auth -- events [--account ID] [--kind KIND] [--since TIME] [--limit N] [--follow]
npm run auth -- reencrypt [--dry-run]

events prints the newest entries of the audit log of a running auth service, the newest last.

  --account ID   only events of this account
  --kind KIND    only events of this kind or below it: login includes login.failed
  --since TIME   only events of the last 90s, 15m, 1h, 7d and so on
  --limit N      at most N events, 1 to ${MAX_LIMIT} (${DEFAULT_LIMIT})
  --follow       then print new events until interrupted

reencrypt encrypts again, with the first key of AUTH_SECRET_KEY, what its other keys encrypted. It reports how many
rows are left under each of them; a key without rows can be removed. The service keeps running. The command can be
interrupted and run again. Give the addresses of all replicas: they must have the same first key.

  --dry-run      count only

Both commands take:

  --address A    host:port of the service, or several separated by commas (AUTH_ADDRESS, or
                 where npm start has it with this PORT or DATA_DIR: 127.0.0.1:8082)
  --json         one JSON object per line, for scripts: npm run --silent auth -- events --json
  --help         this text

If the service requires mutual TLS, set RPC_TLS_DIR to a folder with the operator's certificate (operator.pem,
operator-key.pem, ca.pem), or RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA the three files.

Exit codes: 0 done; 1 reencrypt left rows that the first key cannot decrypt; 2 the command line is wrong; 3 the
service does not answer, or its replicas have different first keys.
`;

/** The command line is wrong. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${printable(message)}\n\n${HELP}`);
    this.name = 'UsageError';
  }
}

export interface EventsOptions {
  readonly command: 'events';
  readonly address: string;
  readonly json: boolean;
  readonly follow: boolean;
  readonly limit: number;
  readonly account_id: string | undefined;
  readonly kind: string | undefined;
  readonly since_ms: number | undefined;
}

export interface ReencryptOptions {
  readonly command: 'reencrypt';
  readonly address: string;
  readonly json: boolean;
  readonly dry_run: boolean;
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  events: ['account', 'kind', 'since', 'limit', 'follow'],
  reencrypt: ['dry-run'],
};
const OPTIONS_OF_ALL = ['address', 'json', 'help'];

/** @throws UsageError */
export function readArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): EventsOptions | ReencryptOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [command, ...more] = positionals;
  if (command === undefined) throw new UsageError('A command is missing.');
  const options = Object.hasOwn(OPTIONS_OF, command) ? OPTIONS_OF[command] : undefined;
  if (options === undefined) throw new UsageError(`Unknown command ${command}.`);
  if (more.length > 0) throw new UsageError(`${command} takes no argument ${more.join(' ')}.`);
  const foreign = Object.keys(values).find((name) => ![...OPTIONS_OF_ALL, ...options].includes(name));
  if (foreign !== undefined) throw new UsageError(`${command} has no option --${foreign}.`);

  const address = addressOf(values.address ?? serviceAddress(env, 'auth'));
  const json = values.json === true;
  if (command === 'events') return { command, address, json, ...eventsOptions(values) };
  return { command: 'reencrypt', address, json, dry_run: values['dry-run'] === true };
}

function eventsOptions(
  values: ReturnType<typeof parse>['values'],
): Omit<EventsOptions, 'command' | 'address' | 'json'> {
  const { account, kind, since } = values;
  if (account !== undefined && !isSnowflake(account))
    throw new UsageError("--account must be an account's ID.");
  if (kind !== undefined && !/^[a-z][a-z0-9_.]{0,63}$/.test(kind))
    throw new UsageError('--kind must be a kind of event, such as login.failed.');
  return {
    follow: values.follow === true,
    limit: values.limit === undefined ? DEFAULT_LIMIT : limitOf(values.limit),
    account_id: account,
    kind,
    since_ms: since === undefined ? undefined : Math.max(Date.now() - durationOf(since), 0),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        kind: { type: 'string' },
        since: { type: 'string' },
        limit: { type: 'string' },
        follow: { type: 'boolean', short: 'f' },
        'dry-run': { type: 'boolean' },
        address: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Of several replicas any can answer `events`: they share the audit log. */
function addressOf(text: string): string {
  const addresses = text.split(',').map((address) => address.trim());
  if (!addresses.every((address) => /^\S+:[0-9]{1,5}$/.test(address)))
    throw new UsageError('--address must be host:port, or several separated by commas.');
  return addresses.join(',');
}

function limitOf(text: string): number {
  const limit = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOf(text: string): number {
  const match = /^([0-9]{1,6})([smhd])$/.exec(text);
  const unit = UNITS_MS[match?.[2] ?? ''];
  if (unit === undefined)
    throw new UsageError('--since must be a number and one of s, m, h, d, such as 15m.');
  return Number(match?.[1]) * unit;
}
