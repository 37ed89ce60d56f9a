/**
 * The name of the process that holds a certificate: the first label of its DNS subject alternative name, `chat` of
 * `chat.example.internal`. Several names must begin with the same label.
 *
 * @param subjectAltName in Node's format: "DNS:chat.example.internal, IP Address:10.0.0.1"
 * @returns undefined if the certificate names no process, or more than one
 */
export function peerName(subjectAltName: string | undefined): string | undefined {
  // Node quotes unusual names, such as one that contains a comma.
  if (subjectAltName === undefined || subjectAltName.includes('"')) return undefined;
  const names = subjectAltName.split(', ').filter((name) => name.startsWith('DNS:'));
  const labels = new Set(names.map((name) => FIRST_LABEL.exec(name)?.[1]?.toLowerCase()));
  const [label] = labels;
  return labels.size === 1 ? label : undefined;
}

/** Does not match wildcards. */
const FIRST_LABEL = /^DNS:([a-z0-9-]+)(?:\.[a-z0-9.-]+)?$/i;
