/** A link in the text. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

export interface Anchors {
  readonly ids: ReadonlySet<string>;
  /** Ids that occur twice in the page. */
  readonly repeated: readonly string[];
}

/** The targets of all links and pictures of a page outside code. */
export function linksOf(text: string): Link[] {
  const prose = withoutCode(withoutFences(text));
  const found = [
    ...prose.matchAll(/\]\(<?([^\s()<>]+)>?(?:\s+"[^"]*")?\)/g),
    ...prose.matchAll(/^ {0,3}\[[^\]\n]+\]:\s+<?([^\s<>]+)/gm),
  ];
  return found.map(({ 1: target = '', index }) => ({
    target,
    line: prose.slice(0, index).split('\n').length,
  }));
}

/** The possible fragments of links to the page: GitHub's ids of headings, and `<a id="…"></a>`. */
export function anchorsOf(text: string): Anchors {
  const body = withoutFences(text);
  const ids = new Set<string>();
  const repeated: string[] = [];
  for (const [, heading = ''] of body.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const slug = slugOf(heading);
    let id = slug;
    for (let n = 1; ids.has(id); n += 1) id = `${slug}-${n}`;
    ids.add(id);
  }
  for (const [, id = ''] of withoutCode(body).matchAll(/<a (?:id|name)="([^"]*)">/g)) {
    if (ids.has(id)) repeated.push(id);
    ids.add(id);
  }
  return { ids, repeated };
}

/** The id that GitHub gives a heading. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]*>/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Line breaks stay, so that lines keep their numbers. */
function withoutFences(text: string): string {
  return text.replaceAll(/^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm, blank);
}

/** A code span ends with as many backticks as begin it, in the same paragraph. */
function withoutCode(text: string): string {
  return text.replaceAll(/(?<!`)(`+)(?!`)((?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)/g, blank);
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ');
}
