/** The content of a mail, in the reader's language: both of its forms, plain text and HTML, have all of it. */
export interface Letter {
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly button: { readonly label: string; readonly url: string };
  /** The code that a page takes instead of the link. */
  readonly code?: { readonly intro: string; readonly code: string };
  /** Who caused the mail. */
  readonly facts?: { readonly intro: string; readonly rows: readonly Fact[] };
  /** What to do if it was somebody else. */
  readonly advice: string;
  readonly link_intro: string;
  /** Why the reader gets this mail. */
  readonly reason: string;
  /** Links of the operator. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}
