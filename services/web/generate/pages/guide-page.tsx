import type { MarkdownPage } from '../markdown.ts';
import { Html } from './html.tsx';

/** A page of docs/, with its contents. */
export function GuidePage({ page }: { page: MarkdownPage }) {
  const headings = page.sections.filter(({ depth, id }) => depth === 2 && id !== '');
  return (
    <>
      {headings.length > 2 && (
        <nav class="on-page" aria-label="On this page">
          <ul>
            {headings.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Html class="prose" html={page.html} />
    </>
  );
}
