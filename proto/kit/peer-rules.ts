/** The calls that a server accepts from its peers, by the names in their certificates. */
export interface PeerRules {
  /** Whether a peer may call the method with this path, "/package.Service/Method". */
  allows(peer: string, path: string): boolean;
  /** Whether the peer may make calls of that method on behalf of callers. If not, those calls are anonymous. */
  mayActForCallers(peer: string, path: string): boolean;
}
