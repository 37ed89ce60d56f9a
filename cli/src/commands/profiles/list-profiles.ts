import { printableJson } from '../../output/printable.ts';
import { textTable } from '../../output/text-table.ts';
import { LOCAL, type Profile } from '../../profiles/profile.ts';
import { readProfiles } from '../../profiles/profile-file.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Prints the profiles, never a token. */
export function listProfiles({ json }: { readonly json?: boolean }, runtime: Runtime): void {
  const { env } = runtime;
  const { profiles, default: usual } = readProfiles(env);
  const used = env.GATEHOUSE_PROFILE || usual;
  const all: [string, Profile][] = [
    [LOCAL, {}],
    ...Object.entries(profiles).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ];
  if (json) {
    for (const [name, profile] of all)
      printLine(runtime, printableJson(JSON.stringify({ name, used: name === used, ...shown(profile) })));
    return;
  }
  const rows = all.map(([name, { console_url, base_url, token }]) => [
    name === used ? '*' : '',
    name,
    name === LOCAL ? 'the stack on this machine' : (console_url ?? base_url ?? '-'),
    token === undefined ? '' : 'with a token',
  ]);
  printLine(runtime, textTable([['', 'NAME', 'CONSOLE', ''], ...rows]).trimEnd());
}

/** A profile for output: whether it has a token, but not which. */
export function shown({ token, ...profile }: Profile) {
  return { ...profile, has_token: token !== undefined };
}
