import { parseArgs } from 'node:util';
import { edgeUrl } from '@gatehouse/cli/stack/addresses';
import { DemoError } from './demo-error.ts';

export const HELP = `Usage: npm run demo -- [options]

Runs the story of Gatehouse against a running stack (npm start). Prints a curl command and the
response of each step, and at the end the messages of the channel and the audit log.

  --url <url>               the stack (default: http://127.0.0.1:8080, or by PORT, HOST or DATA_DIR,
                            in the environment or in .env)
  --email <email>           log in with this account instead of registering a new one
  --password <text>         its password
  --guest-email <email>     the same for the second user of the story
  --guest-password <text>   their password
  --help                    this text`;

export interface Account {
  email: string;
  password: string;
}

export interface DemoOptions {
  help: boolean;
  /** The edge's URL, without a trailing slash. */
  url: string;
  /** The account of the first user; undefined: the demo registers a new one. */
  account: Account | undefined;
  /** The account of the second user, likewise. */
  guest: Account | undefined;
}

/**
 * Parses the command line.
 * @throws DemoError for invalid options
 */
export function readArguments(args: string[], env: NodeJS.ProcessEnv): DemoOptions {
  const { url = edgeUrl(env), help, ...given } = parse(args);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new DemoError(`--url: "${url}" is not an http URL.`);
  }
  return {
    help,
    url: url.replace(/\/+$/, '').replace(/\/api\/v1$/, ''),
    account: accountOf('', given.email, given.password),
    guest: accountOf('guest-', given['guest-email'], given['guest-password']),
  };
}

function accountOf(
  prefix: string,
  email: string | undefined,
  password: string | undefined,
): Account | undefined {
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined || password === undefined) {
    throw new DemoError(`--${prefix}email and --${prefix}password must be given together.`);
  }
  return { email, password };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string' },
        email: { type: 'string' },
        password: { type: 'string' },
        'guest-email': { type: 'string' },
        'guest-password': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new DemoError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
