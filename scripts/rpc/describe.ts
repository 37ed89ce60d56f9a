import type { Contracts } from './contracts.ts';
import { readDeclarations } from './declarations.ts';
import { findMethod, findName } from './find-name.ts';

/**
 * What the .proto files say of a service, a method, a message or an enum, with their comments: of a method also its
 * messages, and of a message all that it holds.
 *
 * @param name full, or without what begins it
 * @throws UsageError where there is no such name
 */
export function describe(contracts: Contracts, name: string): string {
  const declarations = readDeclarations();
  const text = (title: string, declared = title): string =>
    `// ${title}\n${declarations.get(declared) ?? '// A well-known type of Protocol Buffers.'}\n`;
  if (name.includes('/')) {
    const { service, rpc, method } = findMethod(contracts, name);
    const types = withParts(contracts, [method.request, method.response]);
    return [text(`${service}/${rpc}`, `${service}.${rpc}`), ...types.map((type) => text(type))].join('\n');
  }
  const { services, messages, enums } = contracts;
  const full = findName([...services.keys(), ...messages.keys(), ...enums.keys()], name, 'service or type');
  return withParts(contracts, [full])
    .map((type) => text(type))
    .join('\n');
}

/** These types and those of their fields, and of theirs; what is declared within another stands in its text. */
function withParts({ messages }: Contracts, types: readonly string[]): readonly string[] {
  const found = new Set(types);
  for (const type of found)
    for (const { typeName } of messages.get(type)?.values() ?? [])
      if (typeName !== undefined) found.add(typeName);
  return [...found].filter((type) => !messages.has(type.slice(0, type.lastIndexOf('.'))));
}
