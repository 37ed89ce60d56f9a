import { lineAt, parse, type SyntaxNode, textOf, walk } from './syntax.ts';

/** A text of the code that the catalogs translate. */
export interface FoundMessage {
  readonly id: string;
  readonly line: number;
  /** Whether the code runs when its module is loaded: the language is not known then. */
  readonly isEarly: boolean;
}

/**
 * The messages of a source: `i18n._('…')` and `<Trans id="…">`.
 *
 * @throws Error if an ID is no literal, or the source cannot be parsed
 */
export function findMessages(filename: string, source: string): readonly FoundMessage[] {
  const found: FoundMessage[] = [];
  walk(parse(filename, source), (node, ancestors) => {
    const idNode = idNodeOf(node);
    if (idNode === undefined) return;
    const line = lineAt(source, node.start);
    const id = textOf(idNode);
    if (id === undefined) throw new Error(`${filename}:${line}: the ID of a message must be a literal text`);
    found.push({ id, line, isEarly: !ancestors.some(isFunction) });
  });
  return found;
}

/** The node of the ID if the node is a message. */
function idNodeOf(node: SyntaxNode): unknown {
  if (node.type === 'CallExpression' && isTranslate(node.callee as SyntaxNode)) {
    return (node.arguments as readonly SyntaxNode[])[0] ?? null;
  }
  if (node.type !== 'JSXOpeningElement' || nameOf(node.name) !== 'Trans') return undefined;
  const id = (node.attributes as readonly SyntaxNode[]).find((attribute) => nameOf(attribute.name) === 'id');
  return id === undefined ? null : id.value;
}

function isTranslate(callee: SyntaxNode): boolean {
  return (
    callee.type === 'MemberExpression' && nameOf(callee.object) === 'i18n' && nameOf(callee.property) === '_'
  );
}

export function isFunction({ type }: SyntaxNode): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
}

export function nameOf(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'name' in node ? node.name : undefined;
}
