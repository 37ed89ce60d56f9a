import type { Node } from 'yaml';
import type { DescriptorDefinition, DomainDefinition, LimitDefinition } from './definitions.ts';
import { pathPart } from './path-part.ts';
import { modeOf, readLimit } from './read-limit.ts';
import { readMetadata } from './read-metadata.ts';
import { type Member, TooManyNodes, type YamlFile } from './yaml-file.ts';

export const MAX_DEPTH = 16;
export const MAX_LIMITS = 10_000;
const MAX_TEXT_BYTES = 512;

const ROOT_KEYS = ['domain', 'descriptors'];
const DESCRIPTOR_KEYS = [
  'key',
  'value',
  'rate_limit',
  'descriptors',
  'shadow_mode',
  'quota_mode',
  'detailed_metric',
  'value_to_metric',
  'share_threshold',
  'metadata',
];

/** Where a list of descriptors is. */
interface Parent {
  /** Its path, which those of its descriptors begin with. */
  readonly path: string;
  readonly depth: number;
}

/** What earlier files of a configuration have, by the file that has it. */
export interface Names {
  readonly domains: Map<string, string>;
  /** The paths of limits: their names in metrics and in Redis. */
  readonly paths: Map<string, string>;
}

/** Reads the domain of a file, and adds its names. Undefined with at least one problem. */
export function readDomain(file: YamlFile, names: Names): DomainDefinition | undefined {
  if (file.root === undefined) return undefined;
  try {
    return new DomainReader(file, names).read(file.root);
  } catch (error) {
    if (error instanceof TooManyNodes) return undefined; // and it is a problem already
    throw error;
  }
}

class DomainReader {
  readonly #file: YamlFile;
  readonly #names: Names;
  #descriptors = 0;

  constructor(file: YamlFile, names: Names) {
    this.#file = file;
    this.#names = names;
  }

  read(root: Node | null): DomainDefinition | undefined {
    const members = this.#file.members(root, undefined, 'the file', ROOT_KEYS);
    if (members === undefined) return undefined;
    const member = members.get('domain');
    const domain = this.#requiredText(member, root ?? undefined, 'domain');
    const other = this.#names.domains.get(domain ?? '');
    if (other !== undefined)
      this.#file.problem(member?.at, `${other} has domain ${domain} too: put its descriptors into one file`);
    if (domain !== undefined) this.#names.domains.set(domain, this.#file.name);
    const descriptors = this.#list(members.get('descriptors'), { path: pathPart(domain ?? ''), depth: 1 });
    return domain === undefined ? undefined : { domain, descriptors };
  }

  #list(member: Member | undefined, parent: Parent): DescriptorDefinition[] {
    const file = this.#file;
    if (member === undefined) return [];
    const items = file.items(member.value, member.at, 'descriptors');
    if (items.length > 0 && parent.depth > MAX_DEPTH) {
      file.problem(member.at, `descriptors have at most ${MAX_DEPTH} levels: this is one more`);
      return [];
    }
    const read: DescriptorDefinition[] = [];
    const seen = new Set<string>();
    for (const item of items) {
      const node = file.resolved(item, item);
      if (node === undefined || node === null) continue;
      file.within(node, item, () => {
        const descriptor = this.#descriptor(node, item, parent);
        if (descriptor === undefined) return;
        const { key, value } = descriptor;
        const both = JSON.stringify([key, value]);
        const name = value === '' ? `key ${key} without a value` : `key ${key} and value ${value}`;
        if (seen.has(both)) file.problem(item, `a second descriptor of ${name} in one list: keep one`);
        seen.add(both);
        read.push(descriptor);
      });
    }
    return read;
  }

  #descriptor(node: Node, at: Node, parent: Parent): DescriptorDefinition | undefined {
    const file = this.#file;
    if (++this.#descriptors > 2 * MAX_LIMITS) {
      file.problem(at, `a file has at most ${2 * MAX_LIMITS} descriptors, also through aliases`);
      throw new TooManyNodes();
    }
    const members = file.members(node, at, 'a descriptor', DESCRIPTOR_KEYS);
    if (members === undefined) return undefined;
    const key = this.#requiredText(members.get('key'), at, 'key');
    const value = this.#optionalText(members.get('value'), 'value') ?? '';
    if (key?.includes('*'))
      file.problem(members.get('key')?.at, 'a key has no wildcard: put the * into the value');
    const share_threshold = this.#flag(members.get('share_threshold'), 'share_threshold');
    if (share_threshold && !value.includes('*'))
      file.problem(
        members.get('share_threshold')?.at,
        'share_threshold needs a value with a wildcard, such as files/*',
      );
    const value_to_metric = this.#flag(members.get('value_to_metric'), 'value_to_metric');
    const path = `${parent.path}.${pathPart(key ?? '', value)}`;
    const limit = this.#limit(members, path);
    const descriptors = this.#list(members.get('descriptors'), { path, depth: parent.depth + 1 });
    return key === undefined
      ? undefined
      : { key, value, share_threshold, value_to_metric, limit, descriptors };
  }

  #limit(members: ReadonlyMap<string, Member>, path: string): LimitDefinition | undefined {
    const file = this.#file;
    const flags = {
      shadow_mode: this.#flag(members.get('shadow_mode'), 'shadow_mode'),
      quota_mode: this.#flag(members.get('quota_mode'), 'quota_mode'),
      detailed_metric: this.#flag(members.get('detailed_metric'), 'detailed_metric'),
    };
    const metadata = readMetadata(file, members.get('metadata'));
    const rateLimit = members.get('rate_limit');
    const limit = rateLimit && readLimit(file, rateLimit);
    if (limit !== undefined) {
      this.#addPath(path, rateLimit?.at);
      return { ...limit, path, mode: modeOf(flags), detailed_metric: flags.detailed_metric, metadata };
    }
    if (rateLimit === undefined) {
      for (const name of ['shadow_mode', 'quota_mode'] as const) {
        if (flags[name]) file.problem(members.get(name)?.at, `${name} needs a rate_limit beside it`);
      }
    }
    return undefined;
  }

  #addPath(path: string, at: Member['at']): void {
    const { paths } = this.#names;
    if (paths.has(path)) {
      this.#file.problem(
        at,
        `another limit has the name ${path} in metrics (${paths.get(path)}): rename a key or a value`,
      );
    }
    paths.set(path, this.#file.name);
    if (paths.size > MAX_LIMITS) {
      this.#file.problem(at, `a configuration has at most ${MAX_LIMITS} limits`);
      throw new TooManyNodes();
    }
  }

  #requiredText(member: Member | undefined, at: Node | undefined, name: string): string | undefined {
    const text = member && this.#optionalText(member, name);
    if (text !== undefined && text !== '') return text;
    if (member === undefined || text === '' || isMissing(member)) {
      this.#file.problem(member?.at ?? at, `${name} is required, and not empty`);
    }
    return undefined;
  }

  #optionalText(member: Member | undefined, name: string): string | undefined {
    const text = member && this.#file.text(member, name);
    if (text !== undefined && Buffer.byteLength(text) > MAX_TEXT_BYTES)
      this.#file.problem(member?.at, `${name} has more than ${MAX_TEXT_BYTES} bytes: shorten it`);
    return text;
  }

  #flag(member: Member | undefined, name: string): boolean {
    return member !== undefined && this.#file.flag(member, name);
  }
}

function isMissing({ value }: Member): boolean {
  return value === null || ('value' in value && value.value === null);
}
