import { parseArgs } from 'node:util';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { PEERS } from '@gatehouse/proto/peers';

const DOMAIN = 'gatehouse.internal';
const DEFAULT_DAYS = 90;
const MAX_DAYS = 825;
const AUTHORITY_DAYS = 3650;

const HELP = `npm run certificates -- DIR [--days N]

Makes certificates for mutual TLS between the processes, for development and tests: an authority of their own
(ca.pem, ca-key.pem), and for each process a certificate and its key (NAME.pem, NAME-key.pem). The names:
${PEERS.join(', ')}.

RPC_TLS_DIR=DIR npm start runs the suite with them. Called again, it issues new certificates by the same
authority, which it never writes over; processes that run take them up by themselves.

  --days N   how long the certificates are valid, 1 to ${MAX_DAYS} (${DEFAULT_DAYS})
  --help     this text

Whoever reads ca-key.pem can be any process: in production an authority that keeps its key to itself issues them.
`;

/** The command line cannot be used. */
class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${HELP}`);
    this.name = 'UsageError';
  }
}

/** `npm run certificates`. */
async function main(args: readonly string[]): Promise<void> {
  const { folder, days, help } = readArguments(args);
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const authority = { name: 'Gatehouse development authority', valid_days: AUTHORITY_DAYS };
  const certificates = await openCertificateFolder(folder, authority);
  for (const name of PEERS) await certificates.issue(name, { domain: DOMAIN, valid_days: days });
  const by = certificates.isNew ? 'a new authority' : 'the authority that was there';
  process.stdout.write(
    `${PEERS.length} certificates in ${folder}, issued by ${by}, valid for ${days} days\n`,
  );
}

function readArguments(args: readonly string[]): { folder: string; days: number; help: boolean } {
  const { values, positionals } = parse(args);
  if (values.help) return { folder: '', days: 0, help: true };
  const [folder, ...more] = positionals;
  if (folder === undefined) throw new UsageError('Name the folder to write to.');
  if (more.length > 0) throw new UsageError(`Name one folder only, without ${more.join(' ')}.`);
  const days = /^[0-9]{1,3}$/.test(values.days) ? Number(values.days) : 0;
  if (days < 1 || days > MAX_DAYS) throw new UsageError(`--days is a whole number from 1 to ${MAX_DAYS}.`);
  return { folder, days, help: false };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        days: { type: 'string', default: String(DEFAULT_DAYS) },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message.trimEnd() : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
