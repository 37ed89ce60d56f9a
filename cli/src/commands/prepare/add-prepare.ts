import type { Command } from 'commander';
import { jsonOption } from '../../options/common.ts';
import type { Runtime } from '../../runtime.ts';

export function addPrepare(program: Command, runtime: Runtime): void {
  program
    .command('prepare')
    .description(
      'make certificates, passwords and keys of a composed stack (compose.yaml), a folder for each container',
    )
    .argument('<folder>', 'existing secrets stay; certificates are renewed after half of their validity')
    .option('--runner', 'one folder for a process that runs all services (compose.small.yaml)')
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', HELP)
    .action(async (folder, options) => {
      const { prepare } = await import('./prepare.ts');
      await prepare(folder, options, runtime);
    });
}

const HELP = `
FOLDER/authority   the key of the authority, and all secrets: for this command alone
FOLDER/NAME        the process's certificate (NAME.pem, NAME-key.pem, ca.pem) and secret settings (secrets.env)
FOLDER/runner      with --runner, instead of the folders of the services: all their certificates and secret settings
FOLDER/migrations  the database's administrator, for the migrations of the processes
FOLDER/postgres, FOLDER/redis   the passwords of the servers`;
