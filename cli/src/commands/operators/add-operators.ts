import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { addressOption, jsonOption, TLS_HELP } from '../../options/common.ts';
import { snowflake, wholeNumber } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

const ROLES = ['read', 'support', 'admin'] as const;
const DEFAULT_LINES = 100;
const MAX_LINES = 1_000;

export function addOperators(program: Command, runtime: Runtime): void {
  const operators = program
    .command('operators')
    .description('the people who may use the console, and the log of what they did');

  operators
    .command('list')
    .description('print all operators')
    .addOption(addressOption('console'))
    .addOption(jsonOption())
    .addHelpText('after', TLS_HELP)
    .action(async (options) => {
      const { listOperators } = await import('./list-operators.ts');
      await listOperators(options, runtime);
    });

  operators
    .command('add')
    .description('add an operator, and print a one-time link to the console, valid for an hour')
    .addArgument(nameArgument())
    .addOption(roleOption().makeOptionMandatory())
    .option('--token', 'also make a token for commands (GATEHOUSE_TOKEN)')
    .addOption(addressOption('console'))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', `${ROLES_HELP}${TLS_HELP}`)
    .action(async (name, options) => {
      const { addOperator } = await import('./change-operator.ts');
      await addOperator(name, options, runtime);
    });

  addChanges(operators, runtime);
  addLog(operators, runtime);
}

function addChanges(operators: Command, runtime: Runtime): void {
  operators
    .command('update')
    .description(
      'change a role, or make a new link or token; a new link ends sessions and removes second factors',
    )
    .addArgument(nameArgument())
    .addOption(roleOption())
    .option('--new-link', 'make a new one-time link')
    .option('--new-token', 'make a token for commands, which replaces the one before')
    .addOption(addressOption('console'))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', `${ROLES_HELP}${TLS_HELP}`)
    .action(async (name, options, command: Command) => {
      if (options.role === undefined && !options.newLink && !options.newToken)
        command.error('error: nothing is changed: --role ROLE, --new-link or --new-token');
      const { updateOperator } = await import('./change-operator.ts');
      await updateOperator(name, options, runtime);
    });

  operators
    .command('remove')
    .description('remove an operator and end their sessions; their lines in the log stay')
    .addArgument(nameArgument())
    .addOption(addressOption('console'))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', TLS_HELP)
    .action(async (name, options) => {
      const { removeOperator } = await import('./change-operator.ts');
      await removeOperator(name, options, runtime);
    });
}

function addLog(operators: Command, runtime: Runtime): void {
  operators
    .command('log')
    .description("print the newest lines of the operators' log, the newest last")
    .addOption(new Option('--operator <name>', 'only of this operator').argParser(operatorName))
    .addOption(
      new Option('--after <id>', 'only lines after this one, the oldest first').argParser(
        snowflake('a line'),
      ),
    )
    .addOption(
      new Option('--limit <count>', `at most this many, up to ${MAX_LINES}`)
        .argParser(wholeNumber(1, MAX_LINES))
        .default(DEFAULT_LINES),
    )
    .addOption(addressOption('console'))
    .addOption(jsonOption())
    .addHelpText('after', TLS_HELP)
    .action(async (options) => {
      const { operatorsLog } = await import('./operators-log.ts');
      await operatorsLog(options, runtime);
    });
}

const ROLES_HELP = `
Roles: read looks; support also suspends and restores accounts, ends sessions, resets factors and limits, and disables
webhooks; admin does everything. A link or token is shown once.`;

function nameArgument(): Argument {
  return new Argument('<name>', '1 to 64 of a-z, 0-9, ".", "_" and "-"').argParser(operatorName);
}

/** The log also has the name "certificate:admin". */
function operatorName(text: string): string {
  if (!/^[a-z0-9:._-]{1,128}$/.test(text))
    throw new InvalidArgumentError('It must be the name of an operator.');
  return text;
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the operator may do').choices(ROLES);
}
