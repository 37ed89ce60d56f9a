/** The parts of a mail, each with its tab. */
export const MAIL_PARTS = ['html', 'text', 'source'] as const;
export type MailPart = (typeof MAIL_PARTS)[number];

/** Parses `#`, `#ID` and `#ID/PART`. Without an ID it is the list. */
export function mailOf(hash: string): { readonly id: string | undefined; readonly part: MailPart } {
  const [, id, name] = /^#([0-9]{1,20})(?:\/([a-z]+))?$/.exec(hash) ?? [];
  return { id, part: MAIL_PARTS.find((part) => part === name) ?? 'html' };
}

/** A piece of a text: some words, or a link. */
export interface Piece {
  readonly text: string;
  readonly isLink: boolean;
}

/** Finds the links of a text. Punctuation at the end belongs to the sentence. */
export function piecesOf(text: string): readonly Piece[] {
  const parts = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/);
  return parts
    .map((part, index) => ({ text: part, isLink: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
