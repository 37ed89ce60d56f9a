import { addressVariable, SERVICE_NAMES, type ServiceName, serviceNamed } from '@gatehouse/proto/services';
import { COMPOSE_SPECIFICS } from './compose-specifics.ts';
import { settingsOf } from './settings.ts';
import { concatenate } from './text.ts';

/**
 * The environment of a service in compose.yaml: its address and certificate, the addresses of other services, and its
 * other settings, which `docker compose` takes from its own environment.
 */
export function composeEnvironment(name: ServiceName): string {
  const { ports, max_heap_mib } = serviceNamed(name);
  const { environment = '' } = COMPOSE_SPECIFICS[name] ?? {};
  const settings = settingsOf(name).map((setting) => setting.name);
  const called = SERVICE_NAMES.filter(
    (other) => settings.includes(addressVariable(other)) && !isIn(environment, addressVariable(other)),
  );
  const fixed = concatenate([
    ports.grpc === undefined ? '' : `LISTEN: 0.0.0.0:${ports.grpc}\n`,
    `RPC_TLS_CERT: /run/gatehouse/${name}.pem\n`,
    `RPC_TLS_KEY: /run/gatehouse/${name}-key.pem\n`,
    ...called.map(addressLine),
    environment,
    max_heap_mib === undefined ? '' : `NODE_OPTIONS: --max-old-space-size=${max_heap_mib}\n`,
    name !== 'gateway' && settings.includes('HOST') ? EDGE : '',
  ]);
  return fixed + passedSettings(settings, fixed);
}

/** The settings that `docker compose` takes from its own environment: all but the fixed ones. */
export function passedSettings(settings: readonly string[], fixed: string): string {
  const passed = settings.filter((setting) => !NOT_PASSED.test(setting) && !isIn(fixed, setting));
  return concatenate(passed.map((setting) => `${setting}:\n`));
}

/** The address variable of a service, and its address in the containers' network. */
export function addressLine(name: ServiceName): string {
  return `${addressVariable(name)}: ${name}:${serviceNamed(name).ports.grpc}\n`;
}

/** Paths in the image, secrets of `prepare`, and settings that all containers share. */
const NOT_PASSED =
  /^(?:HOST|PORT|DATA_DIR|DEV_MAIL_DIR|WEB_DIR|RATELIMIT_RULES_FILE|DATABASE_URL|REDIS_URL|METRICS_LISTEN|LOG_LEVEL|DRAIN_DELAY_SECONDS|RPC_.*|OTEL_.*)$/;

export const EDGE = `\
# The public address of the edge, unless a URL overrides it.
HOST: localhost
PORT: $\{PORT:-8080}
`;

const isIn = (lines: string, variable: string): boolean =>
  lines.split('\n').some((line) => line.startsWith(`${variable}:`));
