import type { EmbedInput } from '@gatehouse/proto/chat';
import { renderStatuspage } from '../../src/statuspage/render.ts';

export const page = { url: 'https://status.test/', status_description: 'All good' };

/** The embed of a payload that renders. */
export function embedOf(payload: object): EmbedInput {
  const rendering = renderStatuspage({ ...payload });
  if (!('message' in rendering)) throw new Error(`it renders nothing: ${rendering.nothing}`);
  return rendering.message;
}

/** The reason of a payload that renders nothing. */
export function nothingOf(payload: object): string | undefined {
  const rendering = renderStatuspage({ ...payload });
  return 'nothing' in rendering ? rendering.nothing : undefined;
}

export function incidentOf(incident: object, around: object = {}): EmbedInput {
  return embedOf({ incident: { name: 'Slow searches', ...incident }, ...around });
}

export function maintenanceOf(maintenance: object, around: object = {}): EmbedInput {
  return embedOf({ maintenance: { name: 'New disks', ...maintenance }, ...around });
}

export function fieldOf(embed: EmbedInput, name: string): string | null | undefined {
  return embed.fields.find((field) => field.name === name)?.value;
}
