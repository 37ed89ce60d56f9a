import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * The circles in which modules import each other, one line each; imports of types count, and so do those that name a
 * workspace (`@gatehouse/kit/fault`). Packages are looked at too: there tests do not count, which use tools that
 * import what they test.
 *
 * @param files paths from the root
 */
export function importCircles(root: string, files: readonly string[]): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const packages = files
    .filter((file) => posix.basename(file) === 'package.json' && file !== 'package.json')
    .map((file) => readPackage(dirname(file), read(file)));
  const modules = files.filter((file) => /\.m?ts$/.test(file));
  const known = new Set(modules);
  const imports: Graph = new Map(
    modules.map((file) => {
      const targets = specifiersIn(read(file)).map((specifier) => resolve(file, specifier, packages) ?? '');
      return [file, new Set(targets.filter((target) => known.has(target)))];
    }),
  );
  return [...circlesOf(imports), ...circlesOf(betweenPackages(imports, packages))].map((circle) =>
    [...circle, circle[0]].join(' → '),
  );
}

interface Package {
  readonly folder: string;
  readonly name: string;
  /** Of `exports`: what is imported, and the file. */
  readonly exports: readonly (readonly [specifier: string, file: string])[];
}

function readPackage(folder: string, json: string): Package {
  const { name, exports = {} } = JSON.parse(json) as { name: string; exports?: Record<string, string> };
  return {
    folder,
    name,
    exports: Object.entries(exports).map(([specifier, file]) => [
      posix.join(name, specifier),
      posix.join(folder, file),
    ]),
  };
}

const IMPORTS = [
  /^(?:import|export)\b[^;'"`]*?\bfrom\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'\s*\)/g,
];

function specifiersIn(module: string): string[] {
  return IMPORTS.flatMap((pattern) => [...module.matchAll(pattern)].map(([, specifier = '']) => specifier));
}

/** The file, from the root, or undefined where it is none of the project's. */
function resolve(from: string, specifier: string, packages: readonly Package[]): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const { exports } of packages) {
    for (const [exported, file] of exports) {
      const [head = '', tail] = exported.split('*');
      if (tail === undefined ? specifier === exported : specifier.startsWith(head))
        return file.replace('*', specifier.slice(head.length));
    }
  }
  return undefined;
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function betweenPackages(imports: Graph, packages: readonly Package[]): Graph {
  const deepestFirst = packages.toSorted((one, other) => other.folder.length - one.folder.length);
  const nameOf = (file: string) => deepestFirst.find(({ folder }) => file.startsWith(`${folder}/`))?.name;
  const graph = new Map(packages.map(({ name }) => [name, new Set<string>()]));
  for (const [file, targets] of imports) {
    const from = nameOf(file);
    if (from === undefined || isTest(file)) continue;
    for (const target of targets) {
      const to = nameOf(target);
      if (to !== undefined && to !== from) graph.get(from)?.add(to);
    }
  }
  return graph;
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.split('/').includes('test');
}

/** Of all that reach each other in a circle a shortest one. */
function circlesOf(graph: Graph): string[][] {
  const circles: string[][] = [];
  const inCircles = new Set<string>();
  const shortest = [...graph.keys()]
    .map((node) => circleThrough(graph, node))
    .filter((circle) => circle !== undefined)
    .sort((one, other) => one.length - other.length);
  for (const circle of shortest) {
    if (circle.some((node) => inCircles.has(node))) continue;
    for (const node of circle) inCircles.add(node);
    circles.push(circle);
  }
  return circles;
}

/** A shortest way from a node back to itself (breadth first). */
function circleThrough(graph: Graph, node: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [node];
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === node) return wayTo(at, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(last: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [last];
  for (let at = cameFrom.get(last); at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}
