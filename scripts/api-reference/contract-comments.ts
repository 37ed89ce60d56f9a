import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';

/**
 * The comments of the .proto files, by full name: `package.Message`, `package.Message.field`, `package.Service.Rpc`.
 */
export type ContractComments = ReadonlyMap<string, string>;

export function readContractComments(): ContractComments {
  const folder = join(protoRoot, 'gatehouse');
  const comments = new Map<string, string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.proto')) addComments(readFileSync(join(folder, file), 'utf8'), comments);
  }
  return comments;
}

const PACKAGE = /^package ([\w.]+);/;
const BLOCK = /^(?:message|service|enum) (\w+) \{/;
const RPC = /^rpc (\w+)\(/;
const FIELD = /^(?:optional |repeated )?[\w.]+ (\w+) = \d+/;

/** Takes the comment lines directly above a declaration. */
function addComments(proto: string, comments: Map<string, string>): void {
  const parents: string[] = [];
  let above: string[] = [];
  for (const line of proto.split('\n').map((one) => one.trim())) {
    if (line.startsWith('//')) {
      above.push(line.replace(/^\/\/ ?/, ''));
      continue;
    }
    const name = PACKAGE.exec(line)?.[1] ?? (BLOCK.exec(line) ?? RPC.exec(line) ?? FIELD.exec(line))?.[1];
    if (name !== undefined && above.length > 0) comments.set([...parents, name].join('.'), above.join('\n'));
    if (PACKAGE.test(line) && name !== undefined) parents.push(name);
    if (line.endsWith('{')) parents.push(name ?? '');
    if (line === '}' || line === '};') parents.pop();
    above = [];
  }
}
