/** A contract's comment as a description: one line a paragraph, links to docs/ as links to the pages of /docs. */
export function description(comment: string | undefined): string {
  const text = (comment ?? '').split(/\n\n+/).map((paragraph) => paragraph.replaceAll('\n', ' '));
  return text
    .join('\n\n')
    .replaceAll(
      /\bdocs\/([\w-]+)\.md(#[\w-]+)?/g,
      (_, page, anchor = '') => `[${page}](/docs/${page}${anchor})`,
    );
}

/** A member with the description, unless it is empty. */
export function described(comment: string | undefined): { readonly description?: string } {
  const text = description(comment);
  return text === '' ? {} : { description: text };
}
