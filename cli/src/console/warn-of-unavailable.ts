import { listOf } from '../json/members.ts';
import { printable } from '../output/printable.ts';
import type { Runtime } from '../runtime.ts';

/** Names, on standard error, the services, processes or parts that did not answer the console: their part is missing. */
export function warnOfUnavailable(answer: unknown, { stderr }: Pick<Runtime, 'stderr'>): void {
  const away = listOf(answer, 'unavailable').map(String);
  if (away.length > 0)
    stderr.write(`${printable(`These do not answer, so their part is missing: ${away.join(', ')}`)}\n`);
}
