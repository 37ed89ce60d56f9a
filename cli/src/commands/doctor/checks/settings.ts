import { ConfigError } from '@gatehouse/kit/env';
import { ownVariable, SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { type CheckContext, type Finding, ok, problem, skipped } from '../finding.ts';

/** Settings that each service of a shared process has by its own variable, such as AUTH_LISTEN. */
const OWN = [
  'HOST',
  'PORT',
  'LISTEN',
  'METRICS_LISTEN',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'RPC_TLS_CERT',
  'RPC_TLS_KEY',
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
];

/** Reads the environment as each service does when it starts. */
export async function checkSettings({ env }: CheckContext): Promise<readonly Finding[]> {
  const named = (env.SERVICES ?? '').split(',').map((name) => name.trim());
  const services = env.SERVICES ? SERVICE_NAMES.filter((name) => named.includes(name)) : SERVICE_NAMES;
  const findings = await Promise.all(services.map((service) => findingsOf(service, env)));
  return findings.flat();
}

async function findingsOf(service: ServiceName, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const readConfig = await configReader(service);
  if (readConfig === undefined) return [skipped(service, 'its package is not installed here')];
  try {
    readConfig(environmentOf(service, env));
    return [ok(service, 'its settings can be used')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problemsOf(service, error.problems, env);
  }
}

/** With SERVICES this environment is that of the processes. Without it, what is missing is no problem of `npm start`. */
function problemsOf(service: ServiceName, problems: readonly string[], env: NodeJS.ProcessEnv): Finding[] {
  const missing = problems.filter((text) => text.endsWith(' is required'));
  const wrong = env.SERVICES ? problems : problems.filter((text) => !missing.includes(text));
  if (wrong.length > 0)
    return wrong.map((text) => problem(service, text, 'Correct it; .env.example has every setting.'));
  const names = missing.map((text) => text.replace(/ is required$/, '')).join(', ');
  return [skipped(service, `${madeByStart(env)}; a process that you start yourself needs ${names}`)];
}

/** `npm start` makes everything that is required. */
function madeByStart({ DATABASE_URL }: NodeJS.ProcessEnv): string {
  return DATABASE_URL
    ? 'nothing more to set for npm start'
    : 'embedded database: nothing to set for npm start';
}

async function configReader(
  service: ServiceName,
): Promise<((env: NodeJS.ProcessEnv) => unknown) | undefined> {
  try {
    const module: { readConfig: (env: NodeJS.ProcessEnv) => unknown } = await import(
      `@gatehouse/${service}/config`
    );
    return module.readConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function environmentOf(service: ServiceName, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = OWN.flatMap((name) => {
    const value = env[ownVariable(service, name)];
    return value ? [[name, value]] : [];
  });
  return { ...env, ...Object.fromEntries(own) };
}
