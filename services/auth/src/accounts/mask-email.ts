/**
 * An address as its owner recognises it and nobody else learns it: `a***@e***.com`. Neither length nor
 * the names between are told.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const topLevel = dot < 0 ? '' : domain.slice(dot);
  return `${email.slice(0, Math.min(at, 1))}***@${domain.slice(0, 1)}***${topLevel}`;
}
