import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import { printLine, type Runtime } from '../../runtime.ts';
import { findName, protoFiles } from './contracts.ts';

/** Prints a declaration of a .proto file; of a method also its request and response. */
export function describe(name: string, { json }: { readonly json?: boolean }, runtime: Runtime): void {
  const texts = new Map(protoFiles().flatMap(declarationsIn));
  const full = findName([...texts.keys()], name);
  const names = full.includes('/') ? [full, ...messagesOf(full, texts)] : [full];
  if (json) printLine(runtime, JSON.stringify(Object.fromEntries(names.map((one) => [one, texts.get(one)]))));
  else printLine(runtime, names.map((one) => `// ${one}\n${texts.get(one)}`).join('\n\n'));
}

const DECLARATION = /^(?:\/\/.*\n)*(message|enum|service) (\w+) \{(?:\}|[\s\S]*?^\})/gm;
const METHOD = /^(?: {2}\/\/.*\n)* {2}rpc (\w+)\([\s\S]*?(?:;|^ {2}\})$/gm;

/** The texts of the top-level declarations of a file, and of the methods of its services, by full name. */
function declarationsIn(file: string): (readonly [name: string, text: string])[] {
  const proto = readFileSync(join(protoRoot, file), 'utf8');
  const [, packageName] = /^package ([\w.]+);/m.exec(proto) ?? [];
  return [...proto.matchAll(DECLARATION)].flatMap(([text, keyword, name]) => {
    const full = `${packageName}.${name}`;
    const methods = keyword === 'service' ? [...text.matchAll(METHOD)] : [];
    return [[full, text], ...methods.map(([method, rpc]) => [`${full}/${rpc}`, method] as const)];
  });
}

function messagesOf(method: string, texts: ReadonlyMap<string, string>): string[] {
  const packageName = method.slice(0, method.slice(0, method.indexOf('/')).lastIndexOf('.'));
  const types = texts.get(method)?.matchAll(/\((?:stream )?([\w.]+)\)/g) ?? [];
  return [...types].flatMap(([, type = '']) =>
    [`${packageName}.${type}`, type].filter((name) => texts.has(name)),
  );
}
