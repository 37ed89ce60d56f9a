import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protoRoot } from '@gatehouse/proto/schema';
import { protoFiles } from './contracts.ts';

/** The text of every service, method, message and enum of proto/ with the comment above it, by full names. */
export function readDeclarations(): ReadonlyMap<string, string> {
  return new Map(protoFiles().flatMap((file) => declarationsIn(readFileSync(join(protoRoot, file), 'utf8'))));
}

const PACKAGE = /^package ([\w.]+);/;
/** By its indent, two spaces a level, one knows what it is declared in. */
const DECLARATION = /^((?: {2})*)(?:message|enum|service|rpc) (\w+)/;

function declarationsIn(proto: string): [name: string, text: string][] {
  const lines = proto.split('\n');
  const scopes: string[] = [];
  return lines.flatMap((line, index) => {
    scopes[0] = PACKAGE.exec(line)?.[1] ?? scopes[0] ?? '';
    const [, indent = '', name] = DECLARATION.exec(line) ?? [];
    if (name === undefined) return [];
    const depth = indent.length / 2;
    const fullName = `${scopes[depth]}.${name}`;
    scopes[depth + 1] = fullName;
    return [[fullName, textOf(lines, index, indent)]];
  });
}

function textOf(lines: readonly string[], at: number, indent: string): string {
  let from = at;
  while (lines[from - 1]?.startsWith(`${indent}//`)) from--;
  const opens = lines.findIndex((line, index) => index >= at && line.endsWith('{'));
  const ends = lines.findIndex((line, index) => index >= at && /[;}]$/.test(line));
  const to = opens >= 0 && opens < ends ? lines.indexOf(`${indent}}`, at) : ends;
  return lines
    .slice(from, to + 1)
    .map((line) => line.slice(indent.length))
    .join('\n');
}
