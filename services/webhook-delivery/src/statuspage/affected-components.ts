import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { lineAt } from '../execution/storable.ts';
import { objectsAt, type Untyped } from '../execution/untyped.ts';
import { findStatus } from './statuses.ts';

/** What an incident or a maintenance affects, from the first of its lists that names anything. */
export function affectedComponents(item: Untyped, update: Untyped | undefined): string | undefined {
  const lists = [[update, 'affected_components'] as const, [item, 'affected_components'] as const];
  for (const [from, name] of [...lists, [item, 'components'] as const]) {
    const [first, ...more] = linesOf(objectsAt(from, name));
    if (first === undefined) continue;
    return more.length === 0 ? first : [first, ...more].map((line) => `- ${line}`).join('\n');
  }
  return undefined;
}

/** A component without a name is left out. */
function linesOf(components: readonly Untyped[]): readonly string[] {
  const lines: string[] = [];
  for (const component of components) {
    // More lines than a field has characters are never seen.
    if (lines.length === EMBED_LIMITS.field_value) break;
    const name = lineAt(component, 'name');
    if (name !== undefined) lines.push(line(name, component));
  }
  return lines;
}

/** "Name (label in lower case)"; a status that is not in the table stays as it came. */
function line(name: string, component: Untyped): string {
  const status = lineAt(component, 'new_status') ?? lineAt(component, 'status');
  return status === undefined ? name : `${name} (${findStatus(status)?.label.toLowerCase() ?? status})`;
}
