import type { Profiler } from 'node:inspector';

/** A function in a profile. V8's own parts, such as `(garbage collector)`, have no URL. */
export interface Frame {
  readonly name: string;
  /** The path or URL of its source; empty for native functions. */
  readonly url: string;
  readonly line: number;
}

/** A stack of functions, the outermost first, and the time for which it was sampled. */
export interface Stack {
  readonly frames: readonly Frame[];
  readonly us: number;
}

/** The sampled stacks of a CPU profile. The node `(root)` is left out. */
export function stacksOf(profile: Profiler.Profile): Stack[] {
  const framesOf = frameLists(profile);
  const us = new Map<number, number>();
  const { samples = [], timeDeltas = [] } = profile;
  // A sample's node was on top of the stack from this sample until the next one.
  for (const [n, id] of samples.entries()) us.set(id, (us.get(id) ?? 0) + (timeDeltas[n + 1] ?? 0));
  return [...us].map(([id, sampled_us]) => ({ frames: framesOf(id), us: sampled_us }));
}

/** Returns the function that finds the frames of a node, the outermost first. */
function frameLists({ nodes }: Profiler.Profile): (id: number) => readonly Frame[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  return (id) => {
    const frames: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame === undefined || frame.functionName === '(root)') continue;
      frames.push({ name: frame.functionName, url: frame.url, line: frame.lineNumber + 1 });
    }
    return frames.reverse();
  };
}
