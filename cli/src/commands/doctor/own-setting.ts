import { ownVariable, type ServiceName } from '@gatehouse/proto/services';

/** A setting of one service: its own variable, such as AUTH_DATABASE_URL, or the one that all share. */
export interface OwnSetting {
  readonly value: string;
  readonly variable: string;
  /** Whether other services have the same. */
  readonly shared: boolean;
}

/** Undefined if neither is set. */
export function ownSetting(
  env: NodeJS.ProcessEnv,
  service: ServiceName,
  name: string,
): OwnSetting | undefined {
  const own = ownVariable(service, name);
  if (env[own]) return { value: env[own], variable: own, shared: false };
  return env[name] ? { value: env[name], variable: name, shared: true } : undefined;
}
