import { type Column, cellOf, itemTable, printJson, timeOf } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callConsole, type OperatorsOptions } from './console-service.ts';

/** Prints all operators. */
export async function listOperators(options: OperatorsOptions, runtime: Runtime): Promise<void> {
  const { operators } = await callConsole(options, runtime, (client, call) => client.listOperators({}, call));
  if (options.json) for (const operator of operators) printJson(operator, runtime);
  else
    printLine(
      runtime,
      itemTable(operators, COLUMNS, 'There is no operator: gatehouse operators add NAME --role admin'),
    );
}

const COLUMNS: readonly Column[] = [
  ['NAME', (operator) => cellOf(operator, 'name')],
  ['ROLE', (operator) => cellOf(operator, 'role')],
  ['TOTP', (operator) => cellOf(operator, 'totp')],
  ['PASSKEYS', (operator) => cellOf(operator, 'passkeys')],
  ['CREATED', (operator) => timeOf(operator, 'created_at_ms') ?? '-'],
  ['LAST SEEN', (operator) => timeOf(operator, 'last_seen_at_ms') ?? 'never'],
];
