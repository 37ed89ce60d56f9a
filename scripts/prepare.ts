import { parseArgs } from 'node:util';
import { issueCertificates } from './prepare/certificates.ts';
import { keepSecrets } from './prepare/secrets.ts';
import { settingsOf } from './prepare/settings.ts';
import { writePrivate } from './prepare/write-private.ts';

const HELP = `operator prepare DIR

Makes what a composed suite (compose.yaml) needs before anything of it starts, in a folder of DIR for each container:
certificates for mutual TLS, passwords, keys. What is there is kept, so that it can be run at every start; certificates
are renewed when less than half of their time is left, and running processes take them up.

  DIR/authority   the authority's key, and all secrets: for this command alone
  DIR/NAME        the process's certificate (NAME.pem, NAME-key.pem, ca.pem) and its secret settings (secrets.env)
  DIR/migrations  the database's administrator, for the processes' migrations
  DIR/postgres, DIR/redis   the servers' passwords
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [folder, ...more] = positionals;
  if (values.help || folder === undefined || more.length > 0) {
    process[values.help ? 'stdout' : 'stderr'].write(HELP);
    return values.help ? 0 : 2;
  }
  const issued = await issueCertificates(folder);
  const { secrets, isNew } = keepSecrets(folder);
  for (const { file, text } of settingsOf(secrets)) writePrivate(folder, file, text);
  const what = isNew ? 'made secrets' : 'kept the secrets that were there';
  process.stdout.write(`${what}, issued ${issued} certificates\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
