import { usageFailure } from '../../failures.ts';
import { isUrl } from '../../options/parsers.ts';
import { printable } from '../../output/printable.ts';
import { chosenProfile } from '../../profiles/chosen-profile.ts';
import { edgeOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { findGateway } from './find-gateway.ts';
import { readToken } from './read-token.ts';
import { tailEvents } from './tail-events.ts';

export interface TailCommandOptions {
  readonly token?: string;
  readonly channel?: readonly string[];
  readonly types?: readonly string[];
  readonly count?: number;
  readonly for?: number;
  readonly url?: string;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** Prints the events of a session until it ends or is interrupted. */
export async function tail(options: TailCommandOptions, runtime: Runtime): Promise<void> {
  const { channel, types, count, json } = options;
  const { stderr, signal } = runtime;
  await untilInterrupted(async () => {
    const token = await readToken(options.token, runtime);
    await tailEvents({
      ...{ channels: channel, types, count, for_seconds: options.for, json },
      token,
      url: await gatewayUrl(options, runtime),
      print: (line) => printLine(runtime, line),
      note: (text) => stderr.write(`${printable(text)}\n`),
      signal,
    });
  }, signal);
}

/** Options come before the environment. */
async function gatewayUrl({ url, baseUrl }: TailCommandOptions, { env, signal }: Runtime): Promise<string> {
  if (url !== undefined) return url;
  if (baseUrl === undefined && env.GATEWAY_URL) {
    if (!isUrl(env.GATEWAY_URL, ['ws', 'wss']))
      throw usageFailure(
        printable(`GATEWAY_URL must be a URL with ws:// or wss://, not ${env.GATEWAY_URL}.`),
      );
    return env.GATEWAY_URL;
  }
  const known = baseUrl === undefined ? chosenProfile(env)?.gateway_url : undefined;
  if (known !== undefined) return known;
  const base = (baseUrl ?? edgeOf(env)).replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return findGateway(`${base}/api/v1`, signal);
}
