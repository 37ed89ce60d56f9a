import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree, with JSX and types). */
export interface SyntaxNode {
  readonly type: string;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** @throws Error if the source cannot be parsed */
export function parse(filename: string, source: string): SyntaxNode {
  const { program, errors } = parseSync(filename, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${filename}: ${error.message}`);
  return program as unknown as SyntaxNode;
}

/** Calls `visit` with each node, and with its ancestors, the nearest last. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void,
  ancestors: readonly SyntaxNode[] = [],
): void {
  visit(node, ancestors);
  const below = [...ancestors, node];
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, visit, below);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text of a string literal, of a template without expressions, or of such texts joined by `+`. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'JSXExpressionContainer') return textOf(node.expression);
  if (node.type === 'TemplateLiteral') return textOfTemplate(node);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const left = textOf(node.left);
  const right = textOf(node.right);
  return left === undefined || right === undefined ? undefined : left + right;
}

function textOfTemplate({ quasis }: SyntaxNode): string | undefined {
  const [only, ...others] = quasis as readonly { readonly value: { readonly cooked: string } }[];
  return others.length === 0 ? only?.value.cooked : undefined;
}

/** The line of an offset, from 1. */
export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
