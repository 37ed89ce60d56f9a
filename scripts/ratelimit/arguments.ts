import { parseArgs } from 'node:util';
import { serviceAddress } from '../running-suite.ts';

export const HELP = `npm run ratelimit -- check BUCKET IDENTITY... [--cost N]
npm run ratelimit -- explain BUCKET IDENTITY... [--cost N]
npm run ratelimit -- top [--once]

Asks a running ratelimit service.

  check     charges a bucket as a request would, and says whether that was admitted
  explain   says what is in a bucket and how a charge would be decided now; charges nothing
  top       what the service has decided by bucket since it started, anew each second

  BUCKET         a name of the bucket reference, such as channel:message:create
  IDENTITY       one for each part of the bucket's key, as callers send them: account:1 channel:2,
                 ip:192.0.2.1, webhook:3, credential:session:4; login names and e-mail addresses as
                 they are, in lower case
  --cost N       tokens (1)
  --once         one table, and no more
  --address A    host:port of the service; of several replicas, one (RATELIMIT_ADDRESS, or where
                 npm start has it with this PORT or DATA_DIR: 127.0.0.1:8081)
  --json         JSON, an object a line, for scripts: npm run --silent ratelimit -- ... --json
  --help         this text

Where the service asks for mutual TLS, RPC_TLS_DIR names a folder with the operator's certificate (operator.pem,
operator-key.pem, ca.pem), or RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA the three files.

Exit codes: 0 admitted, 1 denied, 2 a mistake in what was asked, 3 the service does not answer.
`;

/** The command line cannot be used. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${HELP}`);
    this.name = 'UsageError';
  }
}

interface Common {
  readonly address: string;
  readonly json: boolean;
}

export interface ChargeOptions extends Common {
  readonly command: 'check' | 'explain';
  readonly bucket: string;
  readonly identities: readonly string[];
  readonly cost: number;
}

export interface TopOptions extends Common {
  readonly command: 'top';
  readonly once: boolean;
}

export type Options = ChargeOptions | TopOptions;

/** @throws UsageError */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [command, bucket, ...identities] = positionals;
  const common = {
    address: addressOf(values.address ?? serviceAddress(env, 'ratelimit')),
    json: values.json,
  };
  switch (command) {
    case 'check':
    case 'explain': {
      if (values.once) throw new UsageError(`${command} has no --once.`);
      if (bucket === undefined) throw new UsageError(`${command} needs a bucket.`);
      return { ...common, command, bucket, identities, cost: costOf(values.cost ?? '1') };
    }
    case 'top': {
      if (bucket !== undefined) throw new UsageError(`top takes no ${bucket}.`);
      if (values.cost !== undefined) throw new UsageError('top has no --cost.');
      return { ...common, command, once: values.once };
    }
    case undefined:
      throw new UsageError('What is to be done?');
    default:
      throw new UsageError(`There is no ${command}.`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        address: { type: 'string' },
        cost: { type: 'string' },
        once: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The first of several: an operator looks at one process. */
function addressOf(text: string): string {
  const [first = ''] = text.split(',');
  if (!/^.+:[0-9]{1,5}$/.test(first.trim())) throw new UsageError('--address is host:port.');
  return first.trim();
}

function costOf(text: string): number {
  const cost = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  if (cost < 1 || cost > 0xffff_ffff) throw new UsageError('--cost is a whole number of tokens, at least 1.');
  return cost;
}
