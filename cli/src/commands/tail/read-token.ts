import { createInterface } from 'node:readline';
import { usageFailure } from '../../failures.ts';
import type { Runtime } from '../../runtime.ts';

/** Longer than any token. */
const MAX_LENGTH = 1_000;

/**
 * The token of the option or of GATEWAY_TOKEN; "-" is the first line of standard input.
 *
 * @throws CommandFailure
 */
export async function readToken(option: string | undefined, runtime: Runtime): Promise<string> {
  const given = option ?? runtime.env.GATEWAY_TOKEN ?? '';
  if (given === '')
    throw usageFailure('A token is missing: --token - reads it from standard input, or set GATEWAY_TOKEN.');
  const token = (given === '-' ? await firstLine(runtime) : given).trim();
  if (token === '') throw usageFailure('The token is empty.');
  // The error never repeats the text: it may be a token with a typing error.
  if (token.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(token))
    throw usageFailure('The token has characters that no token has, or is too long.');
  return token;
}

async function firstLine({ stdin, stderr, signal }: Runtime): Promise<string> {
  if (stdin.isTTY) stderr.write('Token: ');
  for await (const line of createInterface({ input: stdin, signal })) return line;
  return '';
}
