import { type ParseArgsConfig, parseArgs } from 'node:util';
import { SERVERS } from '@gatehouse/cli/suite/servers';
import { isAddress } from '@gatehouse/kit/env';
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

const OPTIONS = {
  address: { type: 'string' },
  server: { type: 'string' },
  deadline: { type: 'string' },
  metadata: { type: 'string', multiple: true },
  caller: { type: 'string' },
  'no-defaults': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

export type Arguments = ReturnType<typeof readArguments>;

/** @throws UsageError */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [first = '', second, ...more] = positionals;
  const given = Object.keys(values);
  const { address, server, deadline } = values;
  if (more.length > 0) throw new UsageError(`There is no place for ${more.join(' ')}: JSON is one argument.`);
  if ((first === 'list' || first === 'describe') && !values.help && given.length > 0)
    throw new UsageError(`${first} takes no --${given[0]}.`);
  if (first === 'describe' && second === undefined)
    throw new UsageError('describe needs the name of what it is to describe.');
  if (address !== undefined && !isAddress(address)) throw new UsageError('--address is host:port.');
  if (server !== undefined && !SERVERS.some((one) => one === server))
    throw new UsageError(`--server is one of ${SERVERS.join(', ')}.`);
  if (deadline !== undefined && !(/^[1-9][0-9]{0,5}$/.test(deadline) && Number(deadline) <= MAX_DEADLINE_MS))
    throw new UsageError(`--deadline is a whole number of milliseconds from 1 to ${MAX_DEADLINE_MS}.`);
  return {
    ...values,
    help: values.help === true || first === '',
    first,
    second,
    deadline_ms: deadline === undefined ? undefined : Number(deadline),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
