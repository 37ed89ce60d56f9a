import type { Action } from '@gatehouse/proto/console';
import { type Column, cellOf, itemTable, printJson, timeOf } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callConsole, type OperatorsOptions } from './console-service.ts';

export interface OperatorsLogOptions extends OperatorsOptions {
  readonly operator?: string;
  /** The ID of a line. */
  readonly after?: string;
  readonly limit: number;
}

/** Prints lines of the operators' log, the newest last. */
export async function operatorsLog(options: OperatorsLogOptions, runtime: Runtime): Promise<void> {
  const { operator, after, limit } = options;
  const { actions } = await callConsole(options, runtime, (client, call) =>
    client.listActions({ operator, after, limit }, call),
  );
  const lines = after === undefined ? actions.toReversed() : actions;
  if (options.json) for (const line of lines) printJson(lineOf(line), runtime);
  else printLine(runtime, itemTable(lines, COLUMNS, 'There is no such line.'));
}

/** A line for scripts: before, after and detail as JSON, null without. */
function lineOf({ before, after, detail, at_ms, ...action }: Action) {
  const value = (text: string) => (text === '' ? null : JSON.parse(text));
  const at = new Date(at_ms).toISOString();
  return { ...action, at, before: value(before), after: value(after), detail: value(detail) };
}

const COLUMNS: readonly Column[] = [
  ['TIME', (action) => timeOf(action, 'at_ms') ?? '-'],
  ['OPERATOR', (action) => cellOf(action, 'operator')],
  ['ACTION', (action) => cellOf(action, 'action')],
  ['TARGET', (action) => cellOf(action, 'target')],
  ['OUTCOME', (action) => cellOf(action, 'outcome')],
  ['REASON', (action) => cellOf(action, 'reason')],
];
