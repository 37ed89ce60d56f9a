import { parseArgs } from 'node:util';
import { edgeUrl } from '@gatehouse/cli/suite/addresses';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { EVENT_NAMES } from './event-names.ts';
import { UsageError } from './usage-error.ts';

const MAX_COUNT = 1_000_000_000;
/** A week. */
const MAX_SECONDS = 604_800;

export const HELP = `npm run tail -- --token - [--channel ID] [--types A,B] [--json]

Shows what a session of an account or of a bot is told, live: a line an event, until it is interrupted. It identifies
at the real-time Gateway, resumes by itself when its connection ends, and says so on standard error.

  --token TOKEN    the token of a session or of a bot; - is the first line of standard input (GATEWAY_TOKEN). A token
                   on the command line can be read by everybody on this machine in its list of processes, and stays
                   in the history of the shell: better take - or the environment.
  --channel ID     only events of this channel, or of several separated by commas
  --types A,B      only events of these names, such as MESSAGE_CREATE,MESSAGE_DELETE
  --count N        end after N events that were shown
  --for SECONDS    end after this time
  --json           one line of JSON an event, for scripts: {"at", "s", "t", "d"}, d as the Gateway sent it
  --url URL        the Gateway: ws://… or wss://… (GATEWAY_URL, or what GET /api/v1/gateway says)
  --base-url URL   where to ask for that (where npm start has the edge with this PORT or DATA_DIR:
                   http://127.0.0.1:8080)
  --help           this text

Times are in UTC. READY and RESUMED are events too.
For scripts: npm run --silent tail -- --token - --json

Exit codes: 0 interrupted, or --count or --for was reached; 1 the token was not accepted, or was revoked; 2 the command
line is wrong; 3 the Gateway does not answer.
`;

export interface TailOptions {
  /** "-" is standard input. */
  readonly token: string;
  /** Events of any channel, and of none, without it. */
  readonly channels: readonly string[] | undefined;
  readonly types: readonly string[] | undefined;
  readonly count: number | undefined;
  readonly for_seconds: number | undefined;
  readonly json: boolean;
  /** Undefined: `base_url` knows it. */
  readonly url: string | undefined;
  /** Without a slash at the end, and without /api/v1. */
  readonly base_url: string;
}

/** @throws UsageError */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): TailOptions | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const token = values.token ?? env.GATEWAY_TOKEN ?? '';
  if (token === '')
    throw new UsageError('A token is missing: --token - reads it from standard input, or set GATEWAY_TOKEN.');
  return {
    token,
    channels: listIn(values.channel, '--channel', channelId),
    types: listIn(values.types, '--types', eventName),
    count: wholeNumber(values.count, '--count', MAX_COUNT),
    for_seconds: wholeNumber(values.for, '--for', MAX_SECONDS),
    json: values.json,
    ...addresses(values, env),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        token: { type: 'string' },
        channel: { type: 'string' },
        types: { type: 'string' },
        count: { type: 'string' },
        for: { type: 'string' },
        json: { type: 'boolean', default: false },
        url: { type: 'string' },
        'base-url': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function listIn(
  text: string | undefined,
  option: string,
  read: (item: string, option: string) => string,
): readonly string[] | undefined {
  return text?.split(',').map((item) => read(item.trim(), option));
}

function channelId(text: string, option: string): string {
  if (!isSnowflake(text)) throw new UsageError(`${option}: "${text}" is not the ID of a channel.`);
  return text;
}

function eventName(text: string, option: string): string {
  const name = text.toUpperCase();
  if (!EVENT_NAMES.includes(name))
    throw new UsageError(`${option}: there is no event "${text}". There are ${EVENT_NAMES.join(', ')}.`);
  return name;
}

function wholeNumber(text: string | undefined, option: string, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new UsageError(`${option} must be a whole number from 1 to ${most}.`);
  return number;
}

/** What the command line names comes before what the environment names. */
function addresses(values: ReturnType<typeof parse>, env: NodeJS.ProcessEnv) {
  const { url: given, 'base-url': base } = values;
  if (given !== undefined && base !== undefined)
    throw new UsageError('--url names the Gateway itself: --base-url is not asked.');
  const url = given ?? (base === undefined ? env.GATEWAY_URL || undefined : undefined);
  if (url !== undefined) requireUrl(url, given === undefined ? 'GATEWAY_URL' : '--url', ['ws:', 'wss:']);
  const base_url = base ?? edgeUrl(env);
  requireUrl(base_url, '--base-url', ['http:', 'https:']);
  return { url, base_url: base_url.replace(/\/+$/, '').replace(/\/api\/v1$/, '') };
}

function requireUrl(text: string, option: string, protocols: readonly string[]): void {
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new UsageError(
      `${option}: "${text}" is no URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}.`,
    );
}
