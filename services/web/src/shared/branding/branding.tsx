import { i18n } from '../i18n/i18n.ts';
import './branding.css';

/** The operator's name and links, which the edge wrote into the page (docs/web.md#languages-and-branding). */
export const branding = {
  product_name: metaOf('product-name') ?? 'Gatehouse',
  logo_url: metaOf('logo-url'),
  support_url: metaOf('support-url'),
  legal_url: metaOf('legal-url'),
};

/** The link to the start page in the header. */
export function Brand() {
  return (
    <a class="brand" href="/">
      {branding.logo_url && <img src={branding.logo_url} alt="" />}
      <bdi>{branding.product_name}</bdi>
    </a>
  );
}

/** The links at the end of each page, if there are any. */
export function OperatorLinks() {
  const { support_url, legal_url } = branding;
  if (!support_url && !legal_url) return null;
  return (
    <footer class="operator">
      {support_url && <a href={support_url}>{i18n._('Help')}</a>}
      {legal_url && <a href={legal_url}>{i18n._('Legal')}</a>}
    </footer>
  );
}

function metaOf(name: string): string | undefined {
  // Tests of rules run without a document.
  if (!('document' in globalThis)) return undefined;
  return document.head.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
}
