import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { commaSeparated } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';
import { CHECK_NAMES, type CheckName } from './check-names.ts';

export function addDoctor(program: Command, runtime: Runtime): void {
  program
    .command('doctor')
    .description('check a deployment by its settings: say what is wrong, and what to do')
    .addOption(new Option('--only <check,…>', 'only these checks').argParser(commaSeparated(checkName)))
    .addOption(jsonOption('print JSON, one finding a line'))
    .addHelpText('after', HELP)
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts');
      await doctor(options, runtime);
    });
}

const HELP = `
Settings are those of the environment, of .env in this folder and of --profile. A setting of one service may have its
name in front, as in a shared process: AUTH_DATABASE_URL, CHAT_LISTEN. The command changes nothing: it sends no mail,
and migrates no database.

Checks: certificates (RPC_TLS_DIR, RPC_TLS_CERT: readable, matching, names, expiry), clocks (of the edge, the databases
and Redis), databases (login, version, rights of the role, migrations), descriptors (limit of open files), mail (SMTP_URL:
connection, TLS, login), names (addresses of replicas), ports (free, or served by the right process), redis (version,
rights, policy, persistence), settings (each service's own rules). Each ends within 5 s.

Exit code 1: there is a problem. A warning is none.`;

function checkName(text: string): CheckName {
  const name = CHECK_NAMES.find((one) => one === text);
  if (name === undefined)
    throw new InvalidArgumentError(`There is no check "${text}". There are ${CHECK_NAMES.join(', ')}.`);
  return name;
}
