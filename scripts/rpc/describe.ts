import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import { findName, protoFiles } from './contracts.ts';

/**
 * What the .proto files say of a service, a method, a message or an enum, with their comments: of a method also its
 * messages, and of a message all that it holds.
 *
 * @param name full, or without what begins it
 * @throws UsageError where there is no such name
 */
export function describe(name: string): string {
  const texts = new Map(
    protoFiles().flatMap((file) => declarationsIn(readFileSync(join(protoRoot, file), 'utf8'))),
  );
  const found = new Set([findName([...texts.keys()], name, 'service, method or type')]);
  for (const one of found) for (const type of typesIn(texts, one)) found.add(type);
  // What is declared within another stands in its text.
  const shown = [...found].filter((type) => !texts.has(type.slice(0, type.lastIndexOf('.'))));
  return shown.map((type) => `// ${type}\n${texts.get(type)}\n`).join('\n');
}

type Declaration = readonly [name: string, text: string];

const PACKAGE = /^package ([\w.]+);/;
/** By its indent, two spaces a level, one knows what it is declared in. */
const DECLARATION = /^((?: {2})*)(message|enum|service|rpc) (\w+)/;

/** The text of every declaration with the comment above it, by full names; an rpc's is Service/Method. */
function declarationsIn(proto: string): Declaration[] {
  const lines = proto.split('\n');
  const scopes: string[] = [];
  return lines.flatMap((line, at): Declaration[] => {
    scopes[0] = PACKAGE.exec(line)?.[1] ?? scopes[0] ?? '';
    const [, indent = '', keyword, name] = DECLARATION.exec(line) ?? [];
    if (name === undefined) return [];
    const depth = indent.length / 2;
    const fullName = `${scopes[depth]}${keyword === 'rpc' ? '/' : '.'}${name}`;
    scopes[depth + 1] = fullName;
    let from = at;
    while (lines[from - 1]?.startsWith(`${indent}//`)) from--;
    const ends = lines.findIndex((one, index) => index >= at && /[;{}]$/.test(one));
    const to = lines[ends]?.endsWith('{') ? lines.indexOf(`${indent}}`, at) : ends;
    const text = lines.slice(from, to + 1).map((one) => one.slice(indent.length));
    return [[fullName, text.join('\n')]];
  });
}

/** The types that a method or a type names. A name may lack what begins that of the place where it stands. */
function typesIn(texts: ReadonlyMap<string, string>, within: string): string[] {
  const text = texts.get(within)?.replaceAll(/\/\/.*/g, '') ?? '';
  if (/^service /m.test(text)) return [];
  const places = within
    .split(/[./]/)
    .map((_, index, parts) => parts.slice(0, parts.length - index).join('.'));
  return [...text.matchAll(/[\w.]+/g)].flatMap(([word]) => {
    const names = [...places.map((place) => `${place}.${word}`), word];
    return names.find((name) => texts.has(name)) ?? [];
  });
}
