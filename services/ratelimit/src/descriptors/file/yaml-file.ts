import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './problem.ts';

/** A value of a mapping, and where its key is. */
export interface Member {
  readonly at: Place;
  /** Null for a value that is missing. */
  readonly value: Node | null;
}

/** A node, as far as its position. */
type Place = Pick<Node, 'range'> | undefined;

/** Nodes that one file may have after aliases are followed. */
const MAX_NODES = 500_000;
/** Levels of a node that is being read: more than descriptors and their metadata may have. */
const MAX_OPEN = 64;
const MERGE_KEY = '<<';

/** Ends the reading of a file whose aliases stand for too much. */
export class TooManyNodes extends Error {}

/**
 * The nodes of a YAML file with checked types. Each check that fails adds a problem at its place, and reading continues.
 * Aliases are followed, but never into themselves, and `<<` merges mappings.
 */
export class YamlFile {
  readonly name: string;
  readonly #problems: Problem[];
  readonly #lines = new LineCounter();
  /** The node of each alias. */
  readonly #targets = new Map<Node, Node>();
  /** The nodes that are being read. */
  readonly #open = new Set<Node>();
  #visited = 0;
  /** Undefined if the text is no YAML. */
  readonly root: Node | null | undefined;

  constructor(name: string, text: string, problems: Problem[]) {
    this.name = name;
    this.#problems = problems;
    const document = parseDocument<ParsedNode>(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: false, // its check is quadratic; `members` finds repeated keys
      resolveKnownTags: false,
      logLevel: 'error',
    });
    const faults = [...document.errors, ...document.warnings];
    for (const { code, message, pos } of faults)
      this.#add(pos[0], SYNTAX_TEXTS[code] ?? `invalid YAML: ${message}`);
    if (faults.length > 0) return;
    this.root = document.contents;
    this.#findTargets(document.contents);
  }

  problem(at: Place, message: string): void {
    this.#add(at?.range?.[0] ?? 0, message);
  }

  /** The members of a mapping by key; undefined with a problem for another kind of node. */
  members(
    node: Node | null,
    at: Place,
    what: string,
    known: readonly string[],
  ): Map<string, Member> | undefined {
    const map = this.resolved(node, at);
    if (!isMap(map)) {
      this.problem(map ?? at, `${what} must be a mapping of ${known.join(', ')}`);
      return undefined;
    }
    const members = new Map<string, Member>();
    this.#addMembers(map, members, { what, known });
    return members;
  }

  /** The items of a sequence; none with a problem for another kind of node. */
  items(node: Node | null, at: Place, what: string): readonly Node[] {
    const list = this.resolved(node, at);
    if (isNull(list)) return [];
    if (!isSeq(list)) {
      this.problem(list ?? at, `${what} must be a list: begin each item with "- "`);
      return [];
    }
    return list.items as Node[];
  }

  /** The text of a scalar, as it is written; undefined if it is missing or null, with a problem if it is no scalar. */
  text({ at, value }: Member, what: string): string | undefined {
    const node = this.resolved(value, at);
    if (isNull(node)) return undefined;
    if (!isScalar(node)) {
      this.problem(node ?? at, `${what} must be a text`);
      return undefined;
    }
    return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  }

  /** True or false, also as YAML 1.1 writes them. */
  flag(member: Member, what: string): boolean {
    const text = this.text(member, what);
    if (text === undefined || FALSE.test(text)) return false;
    if (TRUE.test(text)) return true;
    this.problem(member.at, `${what} must be true or false`);
    return false;
  }

  choice<const T extends string>(
    member: Member | undefined,
    what: string,
    choices: readonly T[],
  ): T | undefined {
    const text = member && this.text(member, what);
    const choice = choices.find((one) => one === text);
    if (text !== undefined && choice === undefined)
      this.problem(member?.at, `${what} must be one of ${choices.join(', ')}`);
    return choice;
  }

  /** Reads a node's content, unless that is being read already: then an alias inside it stands for it. */
  within(node: Node, at: Place, read: () => void): void {
    if (this.#open.has(node)) {
      this.problem(at, 'this alias stands for a value that contains it: write the value out');
      return;
    }
    if (this.#open.size === MAX_OPEN) {
      this.problem(at, `this value is nested in ${MAX_OPEN} others: write it out`);
      return;
    }
    this.#open.add(node);
    read();
    this.#open.delete(node);
  }

  /** Follows an alias. Undefined with a problem if it has no target. */
  resolved(node: Node | null, at: Place): Node | null | undefined {
    this.#visit(1, at);
    if (!isAlias(node)) return node;
    const target = this.#targets.get(node);
    if (target === undefined)
      this.problem(node, `*${node.source} has no anchor before it: write &${node.source} at one value`);
    return target;
  }

  #visit(nodes: number, at: Place): void {
    this.#visited += nodes;
    if (this.#visited <= MAX_NODES) return;
    this.problem(at, `the file’s aliases stand for more than ${MAX_NODES} values: write fewer of them`);
    throw new TooManyNodes();
  }

  #add(offset: number, message: string): void {
    const { line, col } = this.#lines.linePos(offset);
    // The counter has no line before the first character.
    this.#problems.push({ file: this.name, line: Math.max(line, 1), column: Math.max(col, 1), message });
  }

  /** An anchor may be defined again: each alias stands for the latest before it. */
  #findTargets(contents: Node | null): void {
    const anchors = new Map<string, Node>();
    visit(contents, {
      Alias: (_, alias) => {
        const target = anchors.get(alias.source);
        if (target !== undefined) this.#targets.set(alias, target);
      },
      Value: (_, node) => {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  #addMembers(
    map: YAMLMap,
    members: Map<string, Member>,
    context: { readonly what: string; readonly known: readonly string[] },
  ): void {
    this.#visit(map.items.length, map);
    const own = new Set<string>();
    const merged: Member[] = [];
    for (const { key, value } of map.items as { key: Node | null; value: Node | null }[]) {
      const at = key ?? undefined;
      const name = isScalar(key) ? String(key.value) : undefined;
      if (name === MERGE_KEY) merged.push({ at, value });
      else if (name === undefined || !context.known.includes(name)) {
        this.problem(
          at ?? map,
          `unknown key ${JSON.stringify(name ?? 'of another kind')}: ${context.what} has ${context.known.join(', ')}`,
        );
      } else if (own.has(name)) this.problem(at, `the key ${name} is repeated: keep one`);
      else {
        own.add(name);
        if (!members.has(name)) members.set(name, { at, value });
      }
    }
    for (const { at, value } of merged) this.#merge(value, at, members, context);
  }

  /** Members that are there already take precedence. */
  #merge(
    value: Node | null,
    at: Place,
    members: Map<string, Member>,
    context: { readonly what: string; readonly known: readonly string[] },
  ): void {
    const source = this.resolved(value, at);
    const maps = isSeq(source) ? (source.items as Node[]).map((item) => this.resolved(item, at)) : [source];
    for (const map of maps) {
      if (isMap(map)) this.within(map, at, () => this.#addMembers(map, members, context));
      else this.problem(at, '<< must be an alias of a mapping, or a list of them');
    }
  }
}

function isNull(node: Node | null | undefined): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

const TRUE = /^(?:true|yes|on)$/i;
const FALSE = /^(?:false|no|off)$/i;

const SYNTAX_TEXTS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: 'the file is nested too deeply: descriptors have at most 16 levels',
  MULTIPLE_DOCS: 'a file has one domain: move what follows "---" into another file',
};
