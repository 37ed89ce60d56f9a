import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoError } from './demo-error.ts';

export const HELP = `Usage: npm run demo -- [options]

Walks the story of Gatehouse against a running suite (npm start), printing for each step the curl
command a person would type and what came back, and ends in a picture of the channel.

  --url <url>         where the suite answers          (default http://127.0.0.1:8080)
  --out <file>        where the page of the channel goes (default gatehouse-demo.html in the temporary folder)
  --email <email>     log in with this account instead of registering a new one
  --password <text>   its password
  --help              this text`;

export interface Account {
  email: string;
  password: string;
}

export interface DemoOptions {
  help: boolean;
  /** Without a slash at the end. */
  url: string;
  out: string;
  /** Whom to log in; a new one is registered without it. */
  account: Account | undefined;
}

/** The options of a command line; a DemoError for what they cannot be. */
export function readArguments(args: string[]): DemoOptions {
  const { url, out, email, password, help } = parse(args);
  if ((email === undefined) !== (password === undefined)) {
    throw new DemoError('--email and --password must be given together.');
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new DemoError(`--url: "${url}" is not an http URL.`);
  }
  return {
    help,
    url: url.replace(/\/+$/, '').replace(/\/api\/v1$/, ''),
    out,
    account: email === undefined || password === undefined ? undefined : { email, password },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:8080' },
        out: { type: 'string', default: join(tmpdir(), 'gatehouse-demo.html') },
        email: { type: 'string' },
        password: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new DemoError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
