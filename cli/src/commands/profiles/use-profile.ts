import { unknownProfile } from '../../profiles/chosen-profile.ts';
import { LOCAL } from '../../profiles/profile.ts';
import { readProfiles, writeProfiles } from '../../profiles/profile-file.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Makes a profile the default. */
export function useProfile(name: string, { json }: { readonly json?: boolean }, runtime: Runtime): void {
  const { profiles } = readProfiles(runtime.env);
  if (name !== LOCAL && !Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles));
  writeProfiles(runtime.env, { profiles, default: name });
  printLine(runtime, json ? JSON.stringify({ default: name }) : `Commands use ${name} now.`);
}
