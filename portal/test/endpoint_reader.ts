// What the Explorer shows of an endpoint, read in one step of the page.

/**
 * Runs in the page: what it says of its endpoint, found by landmarks and names; then it goes on to the next one. Asked one by
 * one by role, the same takes a second for each of a hundred endpoints.
 */
export function readEndpoint() {
  const named = (name: string) => {
    const all = [...document.querySelectorAll<HTMLElement>('main section, main aside')]
    const nameOf = (element: Element) =>
      element.getAttribute('aria-label') ??
      document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent
    return all.find(element => nameOf(element) === name)
  }
  const main = document.querySelector<HTMLElement>('main')!
  const next = document.querySelector<HTMLAnchorElement>('nav[aria-label="Neighboring endpoints"] a:last-child')
  const goesOn = next?.textContent?.startsWith('Next') === true
  const shown = {
    url: main.querySelector('[data-testid=endpoint-url]')?.textContent ?? '',
    permission: named('Permission')?.innerText ?? '',
    parameters: named('Parameters')?.querySelectorAll('li').length,
    errors: main.querySelectorAll('tr[id^=error-]').length,
    sample: named('Sample request')?.innerText ?? '',
    // The other radio buttons choose the credential of the sample.
    replies: [...(named('Samples')?.querySelectorAll('input[type=radio]') ?? [])].filter(
      radio => radio.closest('fieldset')?.querySelector('legend')?.textContent !== 'Credential in the sample',
    ).length,
    links: [...main.querySelectorAll('a')].map(link => link.innerText.trim()),
    texts: [...main.querySelectorAll('*')].map(({ textContent }) => textContent?.trim() ?? ''),
    goesOn,
  }
  if (goesOn) next.click()
  return shown
}
