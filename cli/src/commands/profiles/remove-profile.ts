import { unknownProfile } from '../../profiles/chosen-profile.ts';
import { LOCAL } from '../../profiles/profile.ts';
import { readProfiles, writeProfiles } from '../../profiles/profile-file.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Removes a profile. If it was the default, the stack on this machine is. */
export function removeProfile(name: string, { json }: { readonly json?: boolean }, runtime: Runtime): void {
  const { profiles, default: usual } = readProfiles(runtime.env);
  if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles));
  const { [name]: _, ...others } = profiles;
  writeProfiles(runtime.env, { profiles: others, default: usual === name ? LOCAL : usual });
  printLine(runtime, json ? JSON.stringify({ name, removed: true }) : `Profile ${name} is removed.`);
}
