import { type Command, Option } from 'commander';
import { jsonOption, processOption, TLS_HELP } from '../../options/common.ts';
import { descriptorEntries, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';
import { addIdentities } from './add-identities.ts';

const MAX_COST = 0xffff_ffff;

const CHARGE_HELP = `
Exit code 0: admitted; 1: denied.
${TLS_HELP}`;

const CONFIG_HELP = `
Exit code 0: the files are valid, and a descriptor has a limit; 1: there are problems, or no descriptor has a limit.`;

export function addLimits(program: Command, runtime: Runtime): void {
  const limits = program
    .command('limits')
    .description(
      'query and charge the buckets of a ratelimit service, change limits of identities, check files of descriptors',
    );

  withCharge(limits.command('check'))
    .description('charge a bucket as a request would')
    .action(async (bucket, identities, options) => {
      const { check } = await import('./check.ts');
      await check({ ...options, bucket, identities }, runtime);
    });

  withCharge(limits.command('explain'))
    .description('show the level of a bucket and how a charge would be decided now; charges nothing')
    .action(async (bucket, identities, options) => {
      const { explain } = await import('./explain.ts');
      await explain({ ...options, bucket, identities }, runtime);
    });

  limits
    .command('top')
    .description('show decisions by bucket since the service started, every second until interrupted')
    .option('--once', 'print one table and end')
    .addOption(processOption('ratelimit'))
    .addOption(jsonOption())
    .addHelpText('after', TLS_HELP)
    .action(async (options) => {
      const { top } = await import('./top.ts');
      await top(options, runtime);
    });

  limits
    .command('check-config')
    .description('check files of descriptors (RATELIMIT_DESCRIPTORS); needs no running service')
    .argument('<path...>', 'a file, or a folder of *.yaml')
    .option('--domain <domain>', 'the domain of --descriptor, if there are several')
    .addOption(
      new Option(
        '--descriptor <key=value,…>',
        'show the limit of this descriptor; give it again for each further descriptor of one request',
      ).argParser(descriptorEntries),
    )
    .addOption(jsonOption())
    .addHelpText('after', CONFIG_HELP)
    .action(async (paths, options) => {
      const { checkConfig } = await import('./check-config.ts');
      checkConfig({ ...options, paths }, runtime);
    });

  addIdentities(limits, runtime);
}

function withCharge(command: Command) {
  return command
    .argument('<bucket>', 'a name of the bucket reference, such as channel:message:create')
    .argument(
      '[identity...]',
      'one for each part of the key of the bucket: account:1, channel:2, ip:192.0.2.1, webhook:3, ' +
        'credential:session:4; login names and email addresses in lower case',
    )
    .addOption(
      new Option('--cost <tokens>', 'tokens to charge').argParser(wholeNumber(1, MAX_COST)).default(1),
    )
    .option('--lease <id>', 'of a concurrency limit: the ID of the lease to grant or renew')
    .addOption(processOption('ratelimit'))
    .addOption(jsonOption())
    .addHelpText('after', CHARGE_HELP);
}
