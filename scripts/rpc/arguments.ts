import { parseArgs } from 'node:util';
import { isAddress } from '@gatehouse/kit/env';
import { SERVERS } from './servers.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_DEADLINE_MS = 10_000;
const MAX_DEADLINE_MS = 600_000;

export const HELP = `npm run rpc -- list [SERVICE]
npm run rpc -- describe NAME
npm run rpc -- SERVICE/METHOD [JSON | -]

Calls the gRPC methods of a running suite, as a client outside it would: with @grpc/proto-loader and the .proto files
of proto/, without generated code.

  list           every method, one a line, or those of one service
  describe NAME  a service, a method with its request and response, a message or an enum, as the .proto file has it
  SERVICE/METHOD calls a method with a request in JSON ({} unless given; - reads it from standard input) and prints
                 the response as JSON. Of a stream of responses each is a line, as soon as it comes

Names may be cut from the left: gatehouse.auth.v1.AuthService/Identify is also auth.v1.AuthService/Identify.

  --address A        host:port (the service's variable, such as AUTH_ADDRESS, or where npm start has the service)
  --server NAME      the process to ask, where its contract does not say which: ${SERVERS.join(', ')}
  --deadline MS      milliseconds until the call is given up, at most ${MAX_DEADLINE_MS} (${DEFAULT_DEADLINE_MS};
                     of a stream none)
  --metadata KEY=VALUE
                     metadata of the request, may be repeated; of a key in -bin the value is base64
  --caller JSON      on whose behalf the call is made, a kit.v1.Caller; services believe it on loopback without TLS
  --no-defaults      leave fields out of the response that have their default value
  --help             this text

JSON has the names of the .proto file. 64-bit numbers are strings (a request may use numbers), bytes are base64, enums
are names. A request may not have fields that its message lacks. A response has every field but those that are
optional and absent; a message that is absent is null.

Where the service asks for mutual TLS, RPC_TLS_DIR names a folder with the operator's certificate (operator.pem,
operator-key.pem, ca.pem), or RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA the three files.

Exit codes: 0 done, 1 the call failed (standard error has its status, details and trailers), 2 a mistake in what was
asked. For scripts: npm run --silent rpc -- ...
`;

export interface CallOptions {
  readonly command: 'call';
  /** As given: SERVICE/METHOD. */
  readonly name: string;
  /** JSON text, or `-` for standard input. */
  readonly request: string;
  readonly address: string | undefined;
  readonly server: string | undefined;
  /** Undefined: not given. */
  readonly deadline_ms: number | undefined;
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** JSON text. */
  readonly caller: string | undefined;
  readonly defaults: boolean;
}

export type Options =
  | { readonly command: 'help' }
  | { readonly command: 'list'; readonly name: string | undefined }
  | { readonly command: 'describe'; readonly name: string }
  | CallOptions;

/** @throws UsageError */
export function readArguments(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [first, second, ...more] = positionals;
  if (values.help || first === undefined) return { command: 'help' };
  if (more.length > 0) throw new UsageError(`There is no place for ${more.join(' ')}: JSON is one argument.`);
  if (first === 'list' || first === 'describe') {
    const [option] = Object.keys(values);
    if (option !== undefined) throw new UsageError(`${first} takes no --${option}.`);
    if (first === 'list') return { command: 'list', name: second };
    if (second === undefined) throw new UsageError('describe needs the name of what it is to describe.');
    return { command: 'describe', name: second };
  }
  return {
    command: 'call',
    name: first,
    request: second ?? '{}',
    address: addressOf(values.address),
    server: serverOf(values.server),
    deadline_ms: deadlineOf(values.deadline),
    metadata: (values.metadata ?? []).map(metadataOf),
    caller: values.caller,
    defaults: values['no-defaults'] !== true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        address: { type: 'string' },
        server: { type: 'string' },
        deadline: { type: 'string' },
        metadata: { type: 'string', multiple: true },
        caller: { type: 'string' },
        'no-defaults': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function addressOf(text: string | undefined): string | undefined {
  if (text !== undefined && !isAddress(text)) throw new UsageError('--address is host:port.');
  return text;
}

function serverOf(name: string | undefined): string | undefined {
  if (name !== undefined && !SERVERS.includes(name))
    throw new UsageError(`--server is one of ${SERVERS.join(', ')}.`);
  return name;
}

function deadlineOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const deadline = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (deadline < 1 || deadline > MAX_DEADLINE_MS)
    throw new UsageError(`--deadline is a whole number of milliseconds from 1 to ${MAX_DEADLINE_MS}.`);
  return deadline;
}

function metadataOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--metadata is KEY=VALUE.');
  return [text.slice(0, at), text.slice(at + 1)];
}
