import { isLoopback } from '@gatehouse/kit/net/host-port';
import { readNonEmptyFile } from '@gatehouse/kit/system/atomic-files';
import { usageFailure } from '../failures.ts';
import { isUrl } from '../options/parsers.ts';
import { printable } from '../output/printable.ts';
import { chosenProfile, type NamedProfile } from '../profiles/chosen-profile.ts';
import { isToken } from '../profiles/profile.ts';
import { consoleUrl, dataFolder } from '../stack/addresses.ts';
import { consoleTokenFile } from '../stack/stack-record.ts';

/** The console that commands ask, and the operator's token for it. */
export interface ConsoleTarget {
  /** Without a path. */
  readonly url: string;
  readonly token: string;
  /** The setting that names the console, for messages. */
  readonly named_by: string;
}

/**
 * The console of GATEHOUSE_CONSOLE_URL, else of the chosen profile, else of the stack on this machine. The token of a
 * profile is for its own console only.
 *
 * @throws CommandFailure if there is no console or no token
 */
export function consoleTarget(env: NodeJS.ProcessEnv): ConsoleTarget {
  const { url, token, named_by, advice = TOKEN_ADVICE } = found(env);
  if (!isUrl(url, ['http', 'https']))
    throw usageFailure(printable(`${named_by} must be a URL with http:// or https://, not ${url}.`));
  const { origin, protocol, hostname } = new URL(url);
  if (
    protocol === 'http:' &&
    !isLoopback(hostname.replace(/^\[|\]$/g, '')) &&
    env.GATEHOUSE_INSECURE !== 'yes'
  )
    throw usageFailure(
      `${origin} would get the token in the clear. Use https://, a tunnel to this machine, or GATEHOUSE_INSECURE=yes.`,
    );
  const given = env.GATEHOUSE_TOKEN || token;
  if (!given) throw usageFailure(`There is no token for the console at ${origin}.\n${advice}`);
  if (!isToken(given)) throw usageFailure('GATEHOUSE_TOKEN has characters that no token has.');
  return { url: origin, token: given, named_by };
}

/** What to do without an accepted token. */
export const TOKEN_ADVICE =
  'Make one with "gatehouse operators add NAME --role ROLE --token", or "operators update NAME --new-token". Then set\nGATEHOUSE_TOKEN, or store it: gatehouse profiles add PROFILE --console-url URL --token -';

interface Found extends Omit<ConsoleTarget, 'token'> {
  readonly token: string | undefined;
  /** The advice if there is no token. */
  readonly advice?: string;
}

function found(env: NodeJS.ProcessEnv): Found {
  const { GATEHOUSE_CONSOLE_URL } = env;
  if (GATEHOUSE_CONSOLE_URL)
    return { url: GATEHOUSE_CONSOLE_URL, token: undefined, named_by: 'GATEHOUSE_CONSOLE_URL' };
  const profile = chosenProfile(env);
  if (profile !== undefined) return ofProfile(profile);
  return {
    url: consoleUrl(env),
    token: localToken(env),
    named_by: 'GATEHOUSE_CONSOLE_URL or --profile',
    advice: `${localAdvice(env)}\n${TOKEN_ADVICE}`,
  };
}

function ofProfile({ name, console_url, token }: NamedProfile): Found {
  if (console_url === undefined)
    throw usageFailure(
      `Profile ${name} has no console. Add it: gatehouse profiles add ${name} --console-url URL --token -`,
    );
  return { url: console_url, token, named_by: `the console_url of profile ${name}` };
}

/** The token that the console of `npm start` writes for commands on its machine. */
function localToken(env: NodeJS.ProcessEnv): string | undefined {
  const file = consoleTokenFile(dataFolder(env));
  try {
    return readNonEmptyFile(file)?.trim();
  } catch (error) {
    throw usageFailure(printable(`${file} cannot be read: ${(error as Error).message}`));
  }
}

function localAdvice(env: NodeJS.ProcessEnv): string {
  const file = printable(consoleTokenFile(dataFolder(env)));
  return `There is no ${file}, which "npm start" writes.\nSet DATA_DIR if the stack has another folder.`;
}
