import { ConfigError } from '@gatehouse/kit/env';
import type { ServiceName } from '@gatehouse/proto/services';
import { PROCESSES } from '@gatehouse/stack/processes';

/** The variables that a service reads, in the order of their declaration. */
export function settingsOf(name: ServiceName): string[] {
  const names = new Set<string>();
  const given: NodeJS.ProcessEnv = { DATABASE_URL: 'postgresql://db', RATE_LIMITS: 'on' };
  const env = new Proxy(given, {
    get: (target, variable) => {
      names.add(String(variable));
      return Reflect.get(target, variable);
    },
  });
  try {
    PROCESSES.find((row) => row.name === name)?.readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return [...names];
}
