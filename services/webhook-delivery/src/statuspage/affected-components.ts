import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { type JsonObject, objectsAt } from '../execution/json-object.ts';
import { lineAt } from '../execution/storable.ts';
import { findStatus } from './statuses.ts';

/** The affected components of an incident or a maintenance, from the first list that has a component with a name. */
export function affectedComponents(item: JsonObject, update: JsonObject | undefined): string | undefined {
  for (const components of [
    objectsAt(update, 'affected_components'),
    objectsAt(item, 'affected_components'),
    objectsAt(item, 'components'),
  ]) {
    const [first, ...more] = linesOf(components);
    if (first === undefined) continue;
    return more.length === 0 ? first : [first, ...more].map((line) => `- ${line}`).join('\n');
  }
  return undefined;
}

/** Components without a name are skipped. */
function linesOf(components: readonly JsonObject[]): readonly string[] {
  const lines: string[] = [];
  for (const component of components) {
    // Each line has at least one character, and a field holds no more.
    if (lines.length === EMBED_LIMITS.field_value) break;
    const name = lineAt(component, 'name');
    if (name !== undefined) lines.push(line(name, component));
  }
  return lines;
}

/** "Name (label in lower case)". An unknown status is kept as sent. */
function line(name: string, component: JsonObject): string {
  const status = lineAt(component, 'new_status') ?? lineAt(component, 'status');
  return status === undefined ? name : `${name} (${findStatus(status)?.label.toLowerCase() ?? status})`;
}
