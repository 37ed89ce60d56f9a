import { PEERS } from '@gatehouse/proto/peers';
import { type Command, Option } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const DEFAULT_DAYS = 90;
const MAX_DAYS = 825;

export function addCertificates(program: Command, runtime: Runtime): void {
  program
    .command('certificates')
    .description('issue certificates for mutual TLS between the processes, for development and tests')
    .argument('<folder>', 'gets ca.pem, ca-key.pem, and NAME.pem and NAME-key.pem for each process')
    .addOption(
      new Option('--days <count>', `validity of the certificates, up to ${MAX_DAYS}`)
        .argParser(wholeNumber(1, MAX_DAYS))
        .default(DEFAULT_DAYS),
    )
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', HELP)
    .action(async (folder, options) => {
      const { certificates } = await import('./certificates.ts');
      await certificates(folder, options, runtime);
    });
}

const HELP = `
Names: ${PEERS.join(', ')}.

RPC_TLS_DIR=FOLDER npm start runs the stack with them. Run again, the command issues new certificates by the same
authority, which it never overwrites; running processes load them. With ca-key.pem anyone can be any process: in
production, use an authority that keeps its key to itself.`;
