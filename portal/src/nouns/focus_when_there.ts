// Puts the focus into what is on its way: a part of the page that is still being fetched.

const fields = 'input:not([type="hidden"]), select, textarea, button'

/** Focuses the first field in the box, now or once there is one. @returns what stops waiting */
export function focusWhenThere(box: HTMLElement, wanted: string = fields): () => void {
  const focusFirst = () => {
    const first = box.querySelector<HTMLElement>(wanted)
    first?.focus()
    return first !== null
  }
  if (focusFirst()) return () => undefined
  const observer = new MutationObserver(() => focusFirst() && observer.disconnect())
  observer.observe(box, { childList: true, subtree: true })
  return () => observer.disconnect()
}
