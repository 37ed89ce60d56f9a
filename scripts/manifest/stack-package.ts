import { SERVICE_NAMES } from '@gatehouse/proto/services';

/** The package.json of a package that starts services, with all of them, so that a change of a service runs its tests. */
export function withServiceDependencies(manifest: string): string {
  const json = JSON.parse(manifest);
  const services = SERVICE_NAMES.map((name) => [`@gatehouse/${name}`, '*'] as const);
  const dependencies = Object.entries({ ...json.dependencies, ...Object.fromEntries(services) });
  json.dependencies = Object.fromEntries(dependencies.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify(json, null, 2)}\n`;
}
