import type { Operator } from '@gatehouse/proto/console';
import { printJson } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callConsole, type OperatorsOptions } from './console-service.ts';

/** Adds an operator and prints how they sign in. */
export async function addOperator(
  name: string,
  options: OperatorsOptions & { readonly role: string; readonly token?: boolean },
  runtime: Runtime,
): Promise<void> {
  const { role, token: with_token = false } = options;
  const answer = await callConsole(options, runtime, (client, call) =>
    client.addOperator({ name, role, with_token }, call),
  );
  print(`Operator ${name} is added, with the role ${role}.`, answer, options, runtime);
}

/** Changes an operator. */
export async function updateOperator(
  name: string,
  options: OperatorsOptions & {
    readonly role?: string;
    readonly newLink?: boolean;
    readonly newToken?: boolean;
  },
  runtime: Runtime,
): Promise<void> {
  const { role, newLink: new_link = false, newToken: new_token = false } = options;
  const answer = await callConsole(options, runtime, (client, call) =>
    client.updateOperator({ name, role, new_link, new_token }, call),
  );
  print(`Operator ${name} has the role ${answer.operator?.role}.`, answer, options, runtime);
}

/** Removes an operator. */
export async function removeOperator(
  name: string,
  options: OperatorsOptions,
  runtime: Runtime,
): Promise<void> {
  await callConsole(options, runtime, (client, call) => client.removeOperator({ name }, call));
  if (options.json) printJson({ name, removed: true }, runtime);
  else printLine(runtime, `Operator ${name} is removed.`);
}

interface Changed {
  readonly operator?: Operator | null | undefined;
  readonly link?: string | null | undefined;
  readonly token?: string | null | undefined;
}

function print(done: string, changed: Changed, { json }: OperatorsOptions, runtime: Runtime): void {
  const { operator, link, token } = changed;
  if (json) {
    printJson({ operator, link, token }, runtime);
    return;
  }
  printLine(runtime, done);
  if (link != null) printLine(runtime, `link, for an hour and one use:  ${link}`);
  if (token != null) printLine(runtime, `token, for GATEHOUSE_TOKEN:     ${token}`);
}
