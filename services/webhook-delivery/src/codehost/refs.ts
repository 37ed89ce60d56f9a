import type { EmbedInput } from '@gatehouse/proto/chat';
import { textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, title } from './embed.ts';

export function created(payload: Untyped): EmbedInput | undefined {
  const type = refType(payload);
  if (type === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  return embed({
    title: title`[${repo}] New ${type} created: ${textAt(payload, 'ref')}`,
    author: author(payload, 'sender'),
  });
}

export function deleted(payload: Untyped): EmbedInput | undefined {
  const type = refType(payload);
  if (type === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  return embed({
    title: title`[${repo}] ${type === 'tag' ? 'Tag' : 'Branch'} deleted: ${textAt(payload, 'ref')}`,
    author: author(payload, 'sender'),
  });
}

function refType(payload: Untyped): 'branch' | 'tag' | undefined {
  const type = textAt(payload, 'ref_type');
  return type === 'branch' || type === 'tag' ? type : undefined;
}
