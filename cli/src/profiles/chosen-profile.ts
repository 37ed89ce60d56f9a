import { addressVariable } from '@gatehouse/proto/services';
import { usageFailure } from '../failures.ts';
import { printable } from '../output/printable.ts';
import { SERVERS } from '../stack/servers.ts';
import { LOCAL, type Profile } from './profile.ts';
import { readProfiles } from './profile-file.ts';

export interface NamedProfile extends Profile {
  readonly name: string;
}

/**
 * The profile of GATEHOUSE_PROFILE, else the default one. Undefined: the stack on this machine.
 *
 * @throws CommandFailure if there is no such profile
 */
export function chosenProfile(env: NodeJS.ProcessEnv): NamedProfile | undefined {
  if (env.GATEHOUSE_PROFILE === LOCAL) return undefined;
  const { profiles, default: usual } = readProfiles(env);
  const name = env.GATEHOUSE_PROFILE || usual;
  if (name === LOCAL) return undefined;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) throw unknownProfile(name, Object.keys(profiles));
  return { name, ...profile };
}

export function unknownProfile(name: string, known: readonly string[]) {
  const names = [LOCAL, ...known.toSorted()].join(', ');
  return usageFailure(printable(`There is no profile ${name}. There are: ${names}.`));
}

/**
 * Makes an environment use the profile of --profile. Variables that name a deployment are removed, so that no command
 * acts on another one than the profile's.
 */
export function chooseProfile(env: NodeJS.ProcessEnv, name: string): void {
  for (const variable of DEPLOYMENT_VARIABLES) delete env[variable];
  env.GATEHOUSE_PROFILE = name;
  const profile = chosenProfile(env);
  if (profile?.rpc_tls_dir !== undefined) env.RPC_TLS_DIR = profile.rpc_tls_dir;
}

const DEPLOYMENT_VARIABLES = [
  'GATEHOUSE_CONSOLE_URL',
  'GATEHOUSE_TOKEN',
  'GATEWAY_URL',
  ...SERVERS.map(addressVariable),
];
