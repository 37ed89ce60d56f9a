import { listOf } from '../json/members.ts';
import { printJson } from '../output/facts.ts';
import { printable } from '../output/printable.ts';
import { printLine, type Runtime } from '../runtime.ts';
import { ConsoleClient } from './console-client.ts';

export interface Action {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below /api, with its values encoded. */
  readonly path: string;
  readonly body: object;
  /** Makes the message of success from the console's answer. */
  readonly done: (answer: unknown) => string;
}

/** Makes a change and prints what happened; services that have not confirmed it yet go to standard error. */
export async function act(
  { method, path, body, done }: Action,
  { json }: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  const answer = await new ConsoleClient(runtime).change(method, path, body);
  if (json) printJson(answer ?? {}, runtime);
  else printLine(runtime, printable(done(answer)));
  const pending = listOf(answer, 'pending').map(String);
  if (pending.length > 0)
    runtime.stderr.write(
      `${printable(`Not confirmed yet by ${pending.join(' and ')}, which learn of it soon.`)}\n`,
    );
}
