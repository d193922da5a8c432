// Copies text. Browsers give `navigator.clipboard` to secure origins only, and a server may stand in a LAN, on plain http: there the text is
// selected in a field that nobody sees, and copied as a person would.

/** Call it on a click, or shortly behind one. @throws DOMException, or Error where the browser refuses */
export async function copyText(text: string): Promise<void> {
  if ((navigator.clipboard as Clipboard | undefined) !== undefined) return navigator.clipboard.writeText(text)
  const focused = document.activeElement as HTMLElement | null
  const field = document.createElement('textarea')
  field.value = text
  field.ariaHidden = 'true'
  field.style.cssText = 'position: fixed; inset-block-start: 0; opacity: 0'
  // Beside what has the focus: a dialog or a menu takes the focus back from everything outside.
  ;(focused?.parentElement ?? document.body).append(field)
  try {
    field.focus({ preventScroll: true })
    field.select()
    if (!document.execCommand('copy')) throw new Error('the browser refused to copy')
  } finally {
    field.remove()
    focused?.focus({ preventScroll: true })
  }
}
