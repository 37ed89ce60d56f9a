import { databaseUrl } from '@gatehouse/kit/db/pool';
import { urlProblem } from '@gatehouse/kit/net/url-problem';
import { DATABASE_SERVICES, type ServiceName } from '@gatehouse/proto/services';
import { ownSetting } from './own-setting.ts';

/** The database of one service by the environment. */
export interface DatabaseSetting {
  readonly service: ServiceName;
  /** DATABASE_URL or AUTH_DATABASE_URL. */
  readonly variable: string;
  /** Whether all services log in with this URL. */
  readonly shared: boolean;
  /** The URL of the service's own database; undefined with a problem. */
  readonly database_url: string | undefined;
  /** Why the URL cannot be used; without its password. */
  readonly problem: string | undefined;
}

/** The databases whose URLs are set. */
export function databaseSettings(env: NodeJS.ProcessEnv): DatabaseSetting[] {
  return DATABASE_SERVICES.flatMap((service) => {
    const setting = ownSetting(env, service, 'DATABASE_URL');
    if (setting === undefined) return [];
    const { value, variable, shared } = setting;
    const problem = urlProblem(value.trim(), ['postgres', 'postgresql']);
    const database_url = problem === undefined ? databaseUrl(value.trim(), service) : undefined;
    return [{ service, variable, shared, database_url, problem }];
  });
}
