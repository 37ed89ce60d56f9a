import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../src/execution/rendering.ts';

/** What is wrong with a rendering: nothing, if it is a reason or an embed that chat can store. */
export function faultsOf(rendering: Rendering<EmbedInput>): string[] {
  return 'nothing' in rendering ? [] : faultsOfEmbed(rendering.message);
}

function faultsOfEmbed({ title, description, author, url, ...rest }: EmbedInput): string[] {
  const texts = [title, description, author?.name];
  const checks: [fault: string, fine: boolean][] = [
    ['no title', (title?.trim() ?? '') !== ''],
    ['title untrimmed', title === title?.trim()],
    ['title too long', codePoints(title ?? '') <= 256],
    ['title of several lines', !/[\r\n]/.test(title ?? '')],
    ['blank description', description?.trim() !== ''],
    ['description too long', codePoints(description ?? '') <= 350],
    ['author without name', !author || (author.name?.trim() ?? '') !== ''],
    ['author too long', codePoints(author?.name ?? '') <= 256],
    ['bad link', [url, author?.url, author?.icon_url].every(isLinkOrNone)],
    ['NUL', texts.every((text) => !text?.includes('\0'))],
    ['half a pair', texts.every((text) => text?.isWellFormed() ?? true)],
    ['fields', rest.fields.length === 0],
  ];
  return checks.filter(([, fine]) => !fine).map(([fault]) => fault);
}

function isLinkOrNone(link: string | null | undefined): boolean {
  return !link || (/^https?:\/\/\S+$/i.test(link) && codePoints(link) <= 2048);
}
