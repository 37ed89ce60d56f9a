import { parseJson, textOf } from '../../json/members.ts';
import { printable } from '../../output/printable.ts';
import { reasonOf } from '../../output/reason-of.ts';
import { noGateway } from './gateway-failures.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Asks the API for the URL of its Gateway.
 *
 * @param api with /api/v1
 * @throws CommandFailure if it does not answer with a URL
 */
export async function findGateway(api: string, signal: AbortSignal): Promise<string> {
  const request = `${api}/gateway`;
  const { status, body } = await get(request, signal);
  const url = textOf(body, 'url');
  if (status !== 200 || url === undefined || !URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
    throw noGateway(`GET ${request} has no URL of a Gateway (${status}).`);
  return url;
}

async function get(url: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
  try {
    const either = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), signal]);
    const answer = await fetch(url, { signal: either, redirect: 'manual' });
    return { status: answer.status, body: parseJson(await answer.text()) };
  } catch (error) {
    throw noGateway(
      `No answer from ${new URL(url).origin}: ${printable(reasonOf(error))}. Start a stack with npm start.`,
    );
  }
}
