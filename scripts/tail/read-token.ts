import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** Standard input, as far as it is used. */
type Input = Readable & { readonly isTTY?: boolean };

/** More than any token has. */
const MAX_LENGTH = 1_000;

/**
 * The token that the command line names; "-" is the first line of `input`.
 *
 * @throws UsageError
 */
export async function readToken(given: string, input: Input, signal?: AbortSignal): Promise<string> {
  const token = (given === '-' ? await firstLine(input, signal) : given).trim();
  if (token === '') throw new UsageError('The token is empty.');
  // Never a text of the error: it may be a token with a slip.
  if (token.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(token))
    throw new UsageError('The token has characters that no token has, or is too long.');
  return token;
}

async function firstLine(input: Input, signal: AbortSignal | undefined): Promise<string> {
  if (input.isTTY) process.stderr.write('Token: ');
  const lines = createInterface({ input, ...(signal && { signal }) });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    input.destroy(); // it would keep the process alive
  }
}
