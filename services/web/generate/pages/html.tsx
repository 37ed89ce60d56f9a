import { renderInline } from '../markdown.ts';

/** HTML that the build has made from the repository's own files. */
export function Html({ html, class: name }: { html: string; class?: string }) {
  return <div {...(name !== undefined && { class: name })} {...inner(html)} />;
}

/** A short Markdown text, such as a description in a contract, inside a paragraph. */
export function Text({ markdown }: { markdown: string }) {
  return <span {...inner(renderInline(markdown))} />;
}

export function Code({ html }: { html: string }) {
  return (
    <pre>
      <code {...inner(html)} />
    </pre>
  );
}

function inner(html: string) {
  return { dangerouslySetInnerHTML: { __html: html } };
}
