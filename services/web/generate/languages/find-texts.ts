import { readFileSync } from 'node:fs';
import { nameOf } from './find-messages.ts';
import { lineAt, parse, type SyntaxNode, textOf, walk } from './syntax.ts';

/** Attributes and properties whose text a reader sees or hears. */
const SHOWN = new Set([
  'aria-description',
  'aria-label',
  'alt',
  'done',
  'empty',
  'heading',
  'hint',
  'label',
  'placeholder',
  'problem',
  'submit',
  'summary',
  'text',
  'title',
]);

/** A text that is shown but is no message. */
export interface BareText {
  readonly line: number;
  readonly text: string;
}

/** The texts of a source that readers see, and that are in no catalog: between tags, and in known attributes. */
export function findTexts(path: string): readonly BareText[] {
  const source = readFileSync(path, 'utf8');
  const found: BareText[] = [];
  walk(parse(path, source), (node, ancestors) => {
    const text = shownText(node, ancestors);
    if (text !== undefined && isWords(text))
      found.push({ line: lineAt(source, node.start), text: text.trim() });
  });
  return found;
}

function shownText(node: SyntaxNode, ancestors: readonly SyntaxNode[]): string | undefined {
  if (node.type === 'JSXText') return String(node.value);
  if (!isShown(node, ancestors)) return undefined;
  if (node.type === 'TemplateLiteral') {
    const parts = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    return parts.map(({ value }) => value.cooked).join(' ');
  }
  return textOf(node);
}

/** Whether a literal is shown: it is a child of an element, or the value of a known attribute, perhaps by a condition. */
function isShown(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return false;
  let child = node;
  for (const parent of [...ancestors].reverse()) {
    if (parent.type === 'JSXAttribute') return SHOWN.has(String(nameOf(parent.name)));
    if (parent.type === 'Property') return parent.value === child && SHOWN.has(String(nameOf(parent.key)));
    if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return true;
    const passes =
      parent.type === 'JSXExpressionContainer' ||
      (parent.type === 'ConditionalExpression' && parent.test !== child) ||
      (parent.type === 'LogicalExpression' && parent.right === child);
    if (!passes) return false;
    child = parent;
  }
  return false;
}

/** Names of the product and its interfaces, which no language translates. */
const NAMES = /\b(Gatehouse|OAuth2|API|URL|ID|PKCE|JSON|curl)\b/g;

function isWords(text: string): boolean {
  return /\p{Letter}{2}/u.test(text.replace(NAMES, ''));
}
