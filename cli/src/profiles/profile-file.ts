import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';
import { usageFailure } from '../failures.ts';
import { isObject } from '../json/members.ts';
import { printable } from '../output/printable.ts';
import { isProfileName, LOCAL, type Profile, profileProblems } from './profile.ts';

/** The content of the file of profiles. */
export interface Profiles {
  readonly profiles: Readonly<Record<string, Profile>>;
  /** The name of the profile that commands use unless they name another. */
  readonly default: string;
}

const NONE: Profiles = { profiles: {}, default: LOCAL };

/** gatehouse/config.json in XDG_CONFIG_HOME, or in ~/.config; undefined without a home. */
export function profileFile({ XDG_CONFIG_HOME, HOME, USERPROFILE }: NodeJS.ProcessEnv): string | undefined {
  const home = HOME || USERPROFILE;
  const folder = XDG_CONFIG_HOME || (home ? join(home, '.config') : undefined);
  return folder === undefined ? undefined : join(folder, 'gatehouse', 'config.json');
}

/** @throws CommandFailure if the file cannot be used, or if other users can read its tokens */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = profileFile(env);
  const text = file === undefined ? undefined : readText(file);
  if (file === undefined || text === undefined) return NONE;
  const { profiles, problems } = parse(text);
  if (problems.length === 0) return profiles;
  throw usageFailure(printable(`${file} cannot be used: ${problems.join('; ')}. Mend it, or remove it.`));
}

/** @throws CommandFailure */
export function writeProfiles(env: NodeJS.ProcessEnv, profiles: Profiles): void {
  const file = profileFile(env);
  if (file === undefined) throw usageFailure('Set HOME or XDG_CONFIG_HOME: profiles are stored there.');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFilesAtomically([{ path: file, text: `${JSON.stringify(profiles, null, 2)}\n` }]);
  } catch (error) {
    throw usageFailure(printable(`${file} cannot be written: ${(error as Error).message}`));
  }
}

function readText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw usageFailure(printable(`${file} has tokens, and other users may read it: chmod 600 ${file}`));
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'ENOENT') return undefined;
    throw usageFailure(printable(`${file} cannot be read: ${message}`));
  }
}

function parse(text: string): { readonly profiles: Profiles; readonly problems: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { profiles: NONE, problems: ['it is not JSON'] };
  }
  if (!isObject(value) || !isObject(value.profiles))
    return { profiles: NONE, problems: ['it has no object "profiles"'] };
  const stored = value.profiles;
  const { default: chosen = LOCAL } = value;
  const problems = Object.entries(stored).flatMap(([name, profile]) =>
    isProfileName(name) && name !== LOCAL
      ? profileProblems(profile).map((problem) => `profile ${name}: ${problem}`)
      : [`${JSON.stringify(name)} is no name of a profile`],
  );
  if (typeof chosen !== 'string' || (chosen !== LOCAL && !Object.hasOwn(stored, chosen)))
    problems.push('"default" names no profile');
  // Every member was checked.
  return { profiles: { profiles: stored, default: chosen } as Profiles, problems };
}
