// Files that the browser is given to be saved.

/** Hands bytes to the browser, to be saved under a name. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  // Browsers go by the name of a link that is in the page.
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The same for CSV in UTF-8, with the mark in front without which Excel takes it for another encoding. */
export function saveTable(bytes: Blob, name: string): void {
  saveFile(new Blob(['\ufeff', bytes], { type: bytes.type }), name)
}
