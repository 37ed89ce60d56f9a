import { SERVICE_NAMES } from '@gatehouse/proto/services';

type Dependencies = Readonly<Record<string, string>>;

/** The packages that start services. */
const STARTERS = ['runner', 'stack'];

/** The package.json of a package that starts services, with all of them, so that a change of a service runs its tests. */
export function withServiceDependencies(manifest: string): string {
  const json = JSON.parse(manifest);
  json.dependencies = withServices(json.dependencies);
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** package-lock.json with the same dependencies, as the next `npm install` would write it. */
export function withLockedDependencies(lock: string): string {
  const json = JSON.parse(lock);
  for (const folder of STARTERS) {
    const starter = json.packages[folder];
    starter.dependencies = withServices(starter.dependencies);
  }
  return `${JSON.stringify(json, null, 2)}\n`;
}

function withServices(dependencies: Dependencies): Dependencies {
  const services = SERVICE_NAMES.map((name) => [`@gatehouse/${name}`, '*'] as const);
  const all = Object.entries({ ...dependencies, ...Object.fromEntries(services) });
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
