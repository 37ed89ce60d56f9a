import { readdirSync } from 'node:fs';
import { protoRoot } from '@gatehouse/proto/schema';
import { loadSync, type MessageTypeDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { UsageError } from './usage-error.ts';

export type Message = MessageTypeDefinition<object, object>;

/** All that proto/ declares, by full names. */
export interface Contracts {
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly messages: ReadonlyMap<string, Message>;
}

/**
 * Loads all .proto files of the project with @grpc/proto-loader.
 *
 * @param defaults whether what is read shows fields that have their default value
 */
export function loadContracts({ defaults }: { readonly defaults: boolean }): Contracts {
  const loaded = loadSync(protoFiles(), {
    includeDirs: [protoRoot],
    keepCase: true,
    longs: String,
    enums: String,
    bytes: String,
    json: true,
    defaults,
    arrays: defaults,
    objects: defaults,
  });
  const services = new Map<string, ServiceDefinition>();
  const messages = new Map<string, Message>();
  for (const [name, one] of Object.entries(loaded)) {
    if (!('format' in one)) services.set(name, one as ServiceDefinition);
    else if ('serialize' in one) messages.set(name, one as Message);
  }
  return { services, messages };
}

/** The project's .proto files, as their imports name them. */
export function protoFiles(): string[] {
  return readdirSync(protoRoot, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.proto') && !file.startsWith('node_modules'),
  );
}

/** The method with this name, SERVICE/METHOD. @throws UsageError with the nearest name where there is none */
export function findMethod({ services }: Contracts, name: string) {
  const [serviceName = '', rpc, ...more] = name.split('/');
  if (rpc === undefined || more.length > 0)
    throw new UsageError(`${name} is no method: write SERVICE/METHOD, such as auth.v1.AuthService/Identify.`);
  const service = findName([...services.keys()], serviceName, 'service');
  const methods = services.get(service) ?? {};
  const method = Object.hasOwn(methods, rpc) ? methods[rpc] : undefined;
  if (method === undefined)
    throw new UsageError(`${service} has no method ${rpc}.${suggestion(rpc, Object.keys(methods))}`);
  return { service, rpc, method };
}

/** The full name that this one is, or that it is the end of. @throws UsageError with the nearest where there is none */
export function findName(names: readonly string[], name: string, what: string): string {
  if (names.includes(name)) return name;
  const matches = names.filter((full) => full.endsWith(`.${name}`));
  const [match, ...others] = matches;
  if (match === undefined) throw new UsageError(`There is no ${what} ${name}.${suggestion(name, names)}`);
  if (others.length > 0) throw new UsageError(`${name} may be ${matches.join(' or ')}.`);
  return match;
}

/** " Did you mean …?", or nothing where no name is near. */
export function suggestion(name: string, names: readonly string[]): string {
  const [nearest] = names
    .flatMap((full) => full.split('.').map((_, index, parts) => parts.slice(index).join('.')))
    .map((ending) => ({ ending, likeness: likeness(name.toLowerCase(), ending.toLowerCase()) }))
    .filter((candidate) => candidate.likeness > 0.4)
    .sort((one, other) => other.likeness - one.likeness);
  return nearest === undefined ? '' : ` Did you mean ${nearest.ending}?`;
}

/** Which part of their pairs of neighbouring letters two words share, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [ours, theirs] = [one, other].map(
    (word) => new Set([...word].map((_, at) => word.slice(at, at + 2))),
  );
  return ours && theirs ? ours.intersection(theirs).size / ours.union(theirs).size : 0;
}
