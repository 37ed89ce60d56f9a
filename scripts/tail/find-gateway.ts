import { printable } from '@gatehouse/cli/output/printable';
import { NoGateway } from './errors.ts';
import { textOf } from './members.ts';

const WITHIN_MS = 10_000;

/**
 * Where the API says that its Gateway is.
 *
 * @param api with /api/v1
 * @throws NoGateway
 */
export async function findGateway(api: string, signal?: AbortSignal): Promise<string> {
  const asked = `${api}/gateway`;
  const { status, body } = await get(asked, signal);
  const url = textOf(body, 'url');
  if (status !== 200 || url === undefined || !URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
    throw new NoGateway(`GET ${asked} does not say where the Gateway is (${status}). ${ADVICE}`);
  return url;
}

const ADVICE = 'Name it with --url, or the address of the API with --base-url.';

async function get(url: string, signal: AbortSignal | undefined): Promise<{ status: number; body: unknown }> {
  try {
    const late = AbortSignal.timeout(WITHIN_MS);
    const stop = signal === undefined ? late : AbortSignal.any([late, signal]);
    const answer = await fetch(url, { signal: stop, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, body: parsed(text) };
  } catch (error) {
    throw new NoGateway(
      `No answer from ${new URL(url).origin}: ${reasonOf(error)}. Start a suite with npm start. ${ADVICE}`,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const { cause } = error;
  return printable(cause instanceof Error && cause.message !== '' ? cause.message : error.message);
}
