// The page's policy lets no text become script, markup or the address of a script (Trusted Types). The one thing the
// portal needs of these is a worker, whose address the build writes: that is let through here, and nothing else.

type Factory = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown }

/** Makes the page's only policy; browsers without Trusted Types need none. */
export function allowOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      const { origin, pathname } = new URL(url, location.href)
      if (origin === location.origin && pathname.startsWith('/_built/')) return url
      throw new TypeError(`${url} is no script of the portal`)
    },
  })
}
