import { ownVariable, SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { callersOf } from '@gatehouse/runner/callers';
import { OWN_SETTINGS, ownSettingsOf } from '@gatehouse/runner/service-environments';

/** The program of a process that several services share, from the clone's root. */
export const RUNNER = 'runner/src/main.ts';

/** Services that share a process. */
export type Group = readonly ServiceName[];

/** The groups of a stack: those given, and each other service by itself. */
export function groupsOf(shared: readonly Group[]): Group[] {
  const isFirst = (name: ServiceName, group: Group): boolean => group[0] === name;
  return SERVICE_NAMES.flatMap((name) => {
    const group = shared.find((names) => names.includes(name)) ?? [name];
    return isFirst(name, group) ? [group] : [];
  });
}

/** The name of a group's process, such as gateway+ratelimit. */
export function groupName(group: Group): string {
  return group.join('+');
}

/** Merges the environments of a group's services into that of its process. */
export function groupEnvironment(
  group: Group,
  environmentOf: (name: ServiceName) => NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const environments = group.map((name) => [name, environmentOf(name)] as const);
  const shared = Object.assign({}, ...environments.map(([, env]) => env));
  for (const setting of OWN_SETTINGS) delete shared[setting];
  const own = environments.flatMap(([name, env]) =>
    ownSettingsOf(name).flatMap((setting) =>
      env[setting] === undefined ? [] : [[ownVariable(name, setting), env[setting]]],
    ),
  );
  const delays = environments.map(([, env]) => Number(env.DRAIN_DELAY_SECONDS || 0));
  return {
    ...shared,
    ...Object.fromEntries(own),
    DRAIN_DELAY_SECONDS: String(Math.max(...delays)),
    SERVICES: group.join(','),
  };
}

/** Like `callersOf`, for groups. The edge's group stops first. The others stop together: they may call each other. */
export function callingGroups(groups: readonly Group[]): (name: string) => readonly string[] {
  const edge = groups.find((group) => group.includes('gateway'));
  const isAlone = groups.every((group) => group.length === 1);
  if (isAlone) return callersOf;
  return (name) => (edge === undefined || name === groupName(edge) ? [] : [groupName(edge)]);
}
