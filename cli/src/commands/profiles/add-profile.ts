import { usageFailure } from '../../failures.ts';
import { printableJson } from '../../output/printable.ts';
import { isToken, type Profile } from '../../profiles/profile.ts';
import { readProfiles, writeProfiles } from '../../profiles/profile-file.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';
import { readToken } from '../tail/read-token.ts';
import { shown } from './list-profiles.ts';

export interface AddProfileOptions {
  readonly consoleUrl?: string;
  readonly token?: string;
  readonly baseUrl?: string;
  readonly gatewayUrl?: string;
  readonly address?: Profile['addresses'];
  readonly rpcTlsDir?: string;
  readonly json?: boolean;
}

/** Stores a profile. Settings of an existing profile that are not given stay, but a token stays only at its console. */
export async function addProfile(name: string, options: AddProfileOptions, runtime: Runtime): Promise<void> {
  const given = await givenSettings(options, runtime);
  if (Object.keys(given).length === 0)
    throw usageFailure('Nothing is set: name at least --console-url, --base-url or --address.');
  const { env } = runtime;
  const { profiles, default: usual } = readProfiles(env);
  const { token: storedToken, ...stored } = profiles[name] ?? {};
  const isSameConsole = given.console_url === undefined || given.console_url === stored.console_url;
  const profile: Profile = {
    ...stored,
    ...(storedToken !== undefined && isSameConsole ? { token: storedToken } : {}),
    ...given,
    ...(given.addresses && { addresses: { ...stored.addresses, ...given.addresses } }),
  };
  if (profile.token !== undefined && profile.console_url === undefined)
    throw usageFailure('A token is for one console: name it with --console-url.');
  writeProfiles(env, { profiles: { ...profiles, [name]: profile }, default: usual });
  if (options.json) printLine(runtime, printableJson(JSON.stringify({ name, ...shown(profile) })));
  else
    printLine(runtime, `Profile ${name} is stored. "gatehouse profiles use ${name}" makes it the default.`);
}

async function givenSettings(options: AddProfileOptions, runtime: Runtime): Promise<Profile> {
  const { consoleUrl, token, baseUrl, gatewayUrl, address, rpcTlsDir } = options;
  const settings: [keyof Profile, Profile[keyof Profile]][] = [
    ['console_url', consoleUrl && new URL(consoleUrl).origin],
    ['token', token === undefined ? undefined : await tokenOf(token, runtime)],
    ['base_url', baseUrl && new URL(baseUrl).origin],
    ['gateway_url', gatewayUrl],
    ['addresses', address],
    ['rpc_tls_dir', rpcTlsDir && callerPath(rpcTlsDir, runtime.env)],
  ];
  return Object.fromEntries(settings.filter(([, value]) => value !== undefined));
}

async function tokenOf(option: string, runtime: Runtime): Promise<string> {
  const token = await readToken(option, runtime);
  if (!isToken(token)) throw usageFailure('The token has characters that no token has.');
  return token;
}
