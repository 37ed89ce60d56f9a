import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { Member, YamlFile } from './yaml-file.ts';

const MAX_DEPTH = 16;

type Metadata = Record<string, unknown>;

/** Any mapping of JSON values. */
export function readMetadata(file: YamlFile, member: Member | undefined): Metadata | undefined {
  if (member === undefined) return undefined;
  const read = jsonOf(file, member.value, member.at, 1);
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Metadata;
  if (read !== null) file.problem(member.at, 'metadata must be a mapping');
  return undefined;
}

function jsonOf(file: YamlFile, value: Node | null, at: Member['at'], depth: number): unknown {
  const node = file.resolved(value, at);
  if (node === null || node === undefined) return null;
  if (isScalar(node)) return scalarOf(file, node.value, node);
  if (depth > MAX_DEPTH) {
    file.problem(node, `metadata has at most ${MAX_DEPTH} levels`);
    return null;
  }
  let read: unknown = null;
  file.within(node, value ?? at, () => {
    if (isSeq(node)) read = node.items.map((item) => jsonOf(file, item as Node | null, node, depth + 1));
    else if (isMap(node)) {
      read = Object.fromEntries(
        node.items.map(({ key, value: member }) => [
          isScalar(key) ? String(key.value) : String(key),
          jsonOf(file, member as Node | null, node, depth + 1),
        ]),
      );
    }
  });
  return read;
}

function scalarOf(file: YamlFile, value: unknown, node: Node): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    file.problem(node, 'a number of metadata must be finite');
    return null;
  }
  return value;
}
