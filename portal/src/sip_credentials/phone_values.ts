// What the screen of phones reads out of a name.

/** Whether only programs of the server's own machine reach it by this name. */
export function isThisMachineOnly(domain: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/i.test(domain)
}
