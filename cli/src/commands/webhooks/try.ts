import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { EmbedInput } from '@gatehouse/proto/chat';
import {
  explainReason,
  type ProviderRequest,
  type RenderResult,
  renderProvider,
} from '@gatehouse/webhook-delivery/render';
import { ExitCode, usageFailure } from '../../failures.ts';
import { printable, printableJson } from '../../output/printable.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';
import { messageText } from './message-text.ts';

const FORM = 'application/x-www-form-urlencoded';

export interface TryOptions {
  readonly format: ProviderRequest['dialect'];
  /** A path; "-" is standard input. */
  readonly file: string;
  readonly event: string | undefined;
  readonly form?: boolean;
  readonly json?: boolean;
}

/** Prints the message that a payload becomes, or why it becomes none. */
export async function tryPayload(options: TryOptions, runtime: Runtime): Promise<void> {
  const { format, file, event, form, json } = options;
  const body = await readInput(file, runtime);
  const content_type = form ? FORM : undefined;
  const rendered = renderProvider({ dialect: format, body, event, content_type });
  if (!('message' in rendered)) runtime.exitCode = ExitCode.NEGATIVE;
  if (json) printLine(runtime, printableJson(JSON.stringify(renderedJson(rendered, event), omitAbsent)));
  else if ('message' in rendered) printLine(runtime, messageText(rendered.message));
  else printLine(runtime, refusalText(rendered, event));
}

async function readInput(file: string, { env, stdin, signal }: Runtime): Promise<Buffer> {
  if (file === '-') return buffer(addAbortSignal(signal, stdin));
  try {
    return await readFile(callerPath(file, env));
  } catch (error) {
    throw usageFailure(printable(`Cannot read ${file}: ${(error as Error).message}`));
  }
}

function renderedJson(rendered: RenderResult, event: string | undefined) {
  if (!('message' in rendered)) {
    const { outcome, reason, violations } = rendered;
    return { outcome, reason, explanation: explainReason(reason, event), violations };
  }
  const { username, content, embeds } = rendered.message;
  return { outcome: 'shown', message: { username, content, embeds: embeds.map(embedJson) } };
}

/** Members in the same order for every renderer. */
function embedJson(embed: EmbedInput) {
  const { title, description, url, color, timestamp, author, footer, image, thumbnail, fields } = embed;
  return { title, description, url, color, timestamp, author, footer, image, thumbnail, fields };
}

/** The API's JSON of embeds omits absent members. */
function omitAbsent(_: string, value: unknown): unknown {
  return value ?? undefined;
}

function refusalText(
  rendered: Exclude<RenderResult, { message: unknown }>,
  event: string | undefined,
): string {
  const { outcome, reason, violations } = rendered;
  return [
    `${outcome}: ${reason}`,
    printable(explainReason(reason, event)),
    ...violations.map(({ path, code, message }) => printable(`  ${path}: ${message} (${code})`)),
  ].join('\n');
}
