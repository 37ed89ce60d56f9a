import { Marked, type Tokens } from 'marked';
import { escapeHtml, highlight } from './highlight.ts';
import { slugOf } from './links.ts';

/** A heading with the text below it, up to the next heading. */
export interface Section {
  /** Empty for the text before the first heading below the title. */
  readonly id: string;
  readonly title: string;
  readonly depth: number;
  readonly text: string;
}

export interface MarkdownPage {
  /** Without the title of the page. */
  readonly html: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

/** Renders a page of docs/. `targetOf` returns a link's target at the edge, or undefined for text without a link. */
export function renderMarkdown(
  markdown: string,
  targetOf: (target: string) => string | undefined,
): MarkdownPage {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const first = tokens.findIndex((token) => token.type === 'heading' && token.depth === 1);
  const title = first < 0 ? '' : plainText((tokens[first] as Tokens.Heading).text);
  if (first >= 0) tokens.splice(first, 1);
  const slugs = slugger();
  marked.use({
    renderer: {
      heading({ tokens: inner, depth, text }) {
        return `<h${depth} id="${slugs(plainText(text))}">${this.parser.parseInline(inner)}</h${depth}>\n`;
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner);
        const target = targetOf(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      code({ text, lang = '' }) {
        return `<pre><code>${highlight(text, lang)}</code></pre>\n`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => this.tablecell({ ...cell, header: tag === 'th' })).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }) {
        return text.startsWith('<!--') ? '' : text;
      },
    },
  });
  return { html: marked.parser(tokens), title, sections: sectionsOf(tokens, slugger()) };
}

/** One line of Markdown, such as a description in a contract. */
export function renderInline(
  markdown: string,
  targetOf: (target: string) => string | undefined = (target) => target,
): string {
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      // Descriptions have no HTML: a placeholder such as <token> is text.
      html({ text }) {
        return escapeHtml(text);
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
    },
  });
  return marked.parseInline(markdown, { async: false });
}

type Token = ReturnType<Marked['lexer']>[number];

function sectionsOf(tokens: readonly Token[], slugs: (heading: string) => string): Section[] {
  const sections: { id: string; title: string; depth: number; text: string }[] = [
    { id: '', title: '', depth: 1, text: '' },
  ];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plainText(token.text as string);
      sections.push({ id: slugs(title), title, depth: token.depth as number, text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${plainText(token.raw)}`;
    }
  }
  return sections;
}

/** Markdown without its marks: links as their text, no tags. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|-{3,}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** IDs as GitHub makes them: a repeated one gets a number. */
function slugger(): (heading: string) => string {
  const used = new Set<string>();
  return (heading) => {
    const slug = slugOf(heading);
    let id = slug;
    for (let n = 1; used.has(id); n += 1) id = `${slug}-${n}`;
    used.add(id);
    return id;
  };
}
