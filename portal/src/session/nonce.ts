// The nonce of this page's Content-Security-Policy, for the libraries that make style elements themselves.

/** The nonce the server put into this page; empty in development. */
export function pageNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  return meta?.nonce || meta?.getAttribute('nonce') || ''
}

/** Gives Radix's scroll lock (react-remove-scroll reads webpack's name for it) the nonce to use. */
export function adoptNonce(): void {
  const nonce = pageNonce()
  if (nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce })
}
