import { addressVariable } from '@gatehouse/proto/services';
import { usageFailure } from '../failures.ts';
import { edgeUrl, serviceAddress } from '../stack/addresses.ts';
import type { Server } from '../stack/servers.ts';
import { chosenProfile } from './chosen-profile.ts';

/**
 * The addresses of a service: those of its variable, else of the chosen profile, else of the stack on this machine.
 *
 * @throws CommandFailure if a profile is chosen that does not have them
 */
export function addressesOf(env: NodeJS.ProcessEnv, server: Server): string {
  const variable = addressVariable(server);
  const profile = env[variable] ? undefined : chosenProfile(env);
  if (profile === undefined) return serviceAddress(env, server);
  const address = profile.addresses?.[server];
  if (address !== undefined) return address;
  throw usageFailure(
    `Profile ${profile.name} has no address of ${server}. Name one with --address or ${variable}, or add it to the profile.`,
  );
}

/**
 * The URL of the edge, without a path.
 *
 * @throws CommandFailure if a profile is chosen that does not have it
 */
export function edgeOf(env: NodeJS.ProcessEnv): string {
  const profile = chosenProfile(env);
  if (profile === undefined) return edgeUrl(env);
  if (profile.base_url !== undefined) return profile.base_url;
  throw usageFailure(`Profile ${profile.name} has no base_url, the URL of the edge. Add it to the profile.`);
}
