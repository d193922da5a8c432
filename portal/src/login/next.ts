// Where the login leads on to. The address is given by a link that anybody may have written, so only pages of this portal
// are taken, checked as the browser reads addresses: to it `/\host` and a tab within `//` are other hosts too.

/** Path, query and fragment of a page of `origin`; the dashboard for everything else, and for the login itself. */
export function safeNext(next: string | undefined, origin: string): string {
  if (next === undefined || !next.startsWith('/') || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  if (url.origin !== origin || url.pathname.startsWith('//') || url.pathname === '/login') return '/'
  return url.pathname + url.search + url.hash
}
