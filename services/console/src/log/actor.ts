import type { Role } from '../role.ts';

/** Who acts, as the operators' log names them. */
export interface Actor {
  /** The operator's name, or "certificate:admin" for a call of ConsoleService. */
  readonly name: string;
  readonly role: Role;
  readonly ip: string;
}

/** A call of ConsoleService: the peer's certificate allows it. */
export const BY_CERTIFICATE: Actor = { name: 'certificate:admin', role: 'admin', ip: '' };
