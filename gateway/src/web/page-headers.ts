export type PageHeaders = Readonly<Record<string, string>>;

/**
 * The headers of a page. It loads scripts, styles and pictures only from here, and the logo from its host. It sends data
 * nowhere else, and cannot be framed.
 */
export function pageHeaders(logo_url: string | undefined): PageHeaders {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${logo_url === undefined ? '' : ` ${new URL(logo_url).origin}`}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}

/** The headers of a page that shows documents of the edge in frames. */
export function framingHeaders(headers: PageHeaders): PageHeaders {
  return { ...headers, 'content-security-policy': `${headers['content-security-policy']}; frame-src 'self'` };
}
