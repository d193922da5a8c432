// The one style sheet of the portal, which is in the page. Where it did not come the portal shows nothing but that it is
// on its way, and asks for it again under an address of its own until it is there.

/** Whether the looks are there: the names of all colours are among them. */
function hasLooks(): boolean {
  return getComputedStyle(document.documentElement).getPropertyValue('--surface') !== ''
}

/** Resolves when the style sheet is in force. @param onWait called once if it is not there yet */
export async function untilStyled(onWait: () => void): Promise<void> {
  if (hasLooks()) return
  onWait()
  const hrefs = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href)
  for (let tries = 1; !hasLooks(); tries++) {
    await Promise.all(hrefs.map(href => fetchAgain(`${href}?again=${tries}`)))
    if (!hasLooks()) await new Promise(resolve => setTimeout(resolve, Math.min(250 * 2 ** tries, 15_000)))
  }
}

/** Resolves when the sheet has come or failed. */
function fetchAgain(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = href
  return new Promise(resolve => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      resolve()
    })
    document.head.append(link)
  })
}
