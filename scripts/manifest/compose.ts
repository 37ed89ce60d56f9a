import { CALLS } from '@gatehouse/proto/peers';
import { DATABASE_SERVICES, SERVICE_NAMES, type ServiceName, serviceNamed } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { addressLine, composeEnvironment } from './compose-environment.ts';
import { COMPOSE_SPECIFICS } from './compose-specifics.ts';
import { concatenate, indented } from './text.ts';

/** compose.yaml with the containers, migrations, certificates and volumes of all services. */
export function withComposedServices(compose: string): string {
  const texts = {
    services: SERVICE_NAMES.map(container).join('\n'),
    migrations: DATABASE_SERVICES.map(migrations).join('\n'),
    folders: concatenate(SERVICE_NAMES.map((name) => `- ${name}:/deployment/${name}\n`)),
    addresses: concatenate(
      SERVICE_NAMES.filter((name) => hasCaller(name, 'operator') || hasCaller(name, 'gateway')).map(
        addressLine,
      ),
    ),
    volumes: concatenate(SERVICE_NAMES.map((name) => `${name}:\n`)),
  };
  return Object.entries(texts).reduce((text, [block, lines]) => withBlock(text, block, lines), compose);
}

const hasCaller = (name: ServiceName, caller: string): boolean =>
  CALLS.some(({ from, to }) => from === caller && to === name);

function container(name: ServiceName): string {
  const { database } = serviceNamed(name);
  const { container = '', networks = '', volumes = '' } = COMPOSE_SPECIFICS[name] ?? {};
  return `${name}:
  <<: *process
  image: ${image(name)}
${database === undefined ? BUILD(name) : '  pull_policy: never\n'}${container}\
  environment:
    <<: *settings
${indented(composeEnvironment(name))}\
  volumes: ["${name}:/run/gatehouse:ro"${volumes}]
${networks || `  networks: [services${database === undefined ? '' : ', database'}]\n`}\
  depends_on:
${dependencies(name)}`;
}

/** A service with a database starts after its migrations, which build its image; another after those that it calls. */
function dependencies(name: ServiceName): string {
  if (serviceNamed(name).database !== undefined)
    return `    ${name}-migrations: { condition: service_completed_successfully }\n`;
  const called = SERVICE_NAMES.filter((to) => to !== name && hasCaller(to, name));
  const { needs = [] } = COMPOSE_SPECIFICS[name] ?? {};
  return concatenate([
    '    prepare: { condition: service_completed_successfully }\n',
    ...[...called, ...needs].map((needed) => `    ${needed}: { condition: service_healthy }\n`),
  ]);
}

function migrations(name: ServiceName): string {
  return `${name}-migrations:
  <<: *migrations
  image: ${image(name)}
${BUILD(name)}\
  volumes: ["${name}:/run/gatehouse:ro", "migrations:/run/migrations:ro"]
`;
}

const image = (name: ServiceName): string => `$\{IMAGE_PREFIX:-gatehouse}/${name}:$\{IMAGE_TAG:-latest}`;

const BUILD = (name: ServiceName): string =>
  `  build: { <<: *build, args: { SERVICE: ${name}, NPM_CONFIG_REGISTRY, NPM_CONFIG_CA } }\n`;
