import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure, ExitCode, usageFailure } from '../../failures.ts';
import { parseJson, textOf } from '../../json/members.ts';
import { isUrl } from '../../options/parsers.ts';
import { printJson } from '../../output/facts.ts';
import { printable } from '../../output/printable.ts';
import { reasonOf } from '../../output/reason-of.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';

const REQUEST_TIMEOUT_MS = 15_000;

export interface SendOptions {
  readonly content?: string;
  /** A path; "-" is standard input. */
  readonly body?: string;
  readonly username?: string;
  readonly json?: boolean;
}

/** Executes a webhook. No output has its token. */
export async function send(target: string, options: SendOptions, runtime: Runtime): Promise<void> {
  const url = await webhookUrl(target, runtime);
  const body = await bodyOf(options, runtime);
  const { status, answer } = await post(url, body, runtime);
  const where = withoutToken(url);
  if (status < 200 || status >= 300) throw refused(where, status, answer);
  if (options.json) printJson({ status, message: answer ?? null }, runtime);
  else printLine(runtime, sentText(answer, where));
}

async function webhookUrl(target: string, { stdin, signal }: Runtime): Promise<URL> {
  const given = target === '-' ? (await text(addAbortSignal(signal, stdin))).trim() : target;
  if (!isUrl(given, ['http', 'https'])) throw usageFailure("Standard input has no webhook's URL.");
  const url = new URL(given);
  if (url.username !== '' || url.password !== '')
    throw usageFailure("A webhook's URL has no user and no password.");
  // The answer has the message only with `wait`; routes of other formats do not know it.
  if (/\/webhooks\/[0-9]+\/[^/]+$/.test(url.pathname)) url.searchParams.set('wait', 'true');
  return url;
}

async function bodyOf({ content, body, username }: SendOptions, runtime: Runtime): Promise<string> {
  if (body === undefined) return JSON.stringify({ content, ...(username && { username }) });
  const { env, stdin, signal } = runtime;
  try {
    return body === '-'
      ? await text(addAbortSignal(signal, stdin))
      : await readFile(callerPath(body, env), 'utf8');
  } catch (error) {
    throw usageFailure(printable(`Cannot read ${body}: ${(error as Error).message}`));
  }
}

async function post(
  url: URL,
  body: string,
  { signal }: Runtime,
): Promise<{ status: number; answer: unknown }> {
  try {
    const sent = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), signal]),
    });
    const answered = await sent.text();
    return { status: sent.status, answer: parseJson(answered) };
  } catch (error) {
    if (signal.aborted) throw error;
    const advice =
      error instanceof Error && error.name === 'TimeoutError'
        ? 'The message may have been posted: look before you repeat it.'
        : "Is it the webhook's URL, and does the edge run?";
    throw new CommandFailure(
      ExitCode.UNANSWERED,
      `${url.origin} does not answer: ${printable(reasonOf(error))}. ${advice}`,
    );
  }
}

/** The URL for messages: whoever has the token may execute the webhook. */
function withoutToken({ origin, pathname }: URL): string {
  const [, before = '/', after = ''] = /^(.*\/webhooks\/[0-9]+\/)[^/]+(.*)$/.exec(pathname) ?? [];
  return `${origin}${before}…${after}`;
}

function refused(where: string, status: number, answer: unknown): CommandFailure {
  const said = textOf(answer, 'message') ?? 'It gave no reason.';
  const code = textOf(answer, 'code');
  return new CommandFailure(
    status >= 500 ? ExitCode.UNANSWERED : ExitCode.NEGATIVE,
    printable(`${where} was answered ${status}: ${said}${code === undefined ? '' : ` (${code})`}`),
  );
}

function sentText(answer: unknown, where: string): string {
  const id = textOf(answer, 'id');
  const channel = textOf(answer, 'channel_id');
  return printable(
    id === undefined ? `${where} took it.` : `Posted message ${id} in channel ${channel ?? '-'}.`,
  );
}
