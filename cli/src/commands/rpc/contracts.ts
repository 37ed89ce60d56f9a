import { readdirSync } from 'node:fs';
import { protoRoot } from '@gatehouse/proto/schema';
import { loadSync, type MessageTypeDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { usageFailure } from '../../failures.ts';
import { printable } from '../../output/printable.ts';

/** The services and messages of proto/, by full name. */
export interface Contracts {
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly messages: ReadonlyMap<string, MessageTypeDefinition<object, object>>;
}

export function loadContracts(): Contracts {
  const text = { longs: String, enums: String, bytes: String, json: true, keepCase: true } as const;
  const defaults = { defaults: true, arrays: true, objects: true };
  const loaded = loadSync(protoFiles(), { includeDirs: [protoRoot], ...text, ...defaults });
  const services = new Map<string, ServiceDefinition>();
  const messages = new Map<string, MessageTypeDefinition<object, object>>();
  for (const [name, definition] of Object.entries(loaded)) {
    if (!('format' in definition)) services.set(name, definition as ServiceDefinition);
    else if ('serialize' in definition)
      messages.set(name, definition as MessageTypeDefinition<object, object>);
  }
  return { services, messages };
}

/** Paths below proto/. */
export function protoFiles(): string[] {
  const files = readdirSync(protoRoot, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.proto') && !file.startsWith('node_modules'));
}

/** The full name with this end. @throws CommandFailure if there is none, or several */
export function findName(names: readonly string[], end: string): string {
  const matches = names.includes(end) ? [end] : names.filter((name) => name.endsWith(`.${end}`));
  const [match, ...others] = matches;
  if (match === undefined)
    throw usageFailure(printable(`There is no ${end}. gatehouse rpc list prints all methods.`));
  if (others.length > 0) throw usageFailure(printable(`${end} may be ${matches.join(' or ')}.`));
  return match;
}
