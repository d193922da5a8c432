// What the link of a mail brings: behind the # of the address, which no server sees. It is read once, taken away, and kept in memory.
import { useEffect, useState } from 'react'

const kept = new Map<string, string>()

function take(): string {
  const { hash, pathname } = window.location
  const token = hash.slice(1)
  if (token === '') return kept.get(pathname) ?? ''
  window.history.replaceState(window.history.state, '', pathname)
  kept.set(pathname, token)
  return token
}

/** The token of the link that this page was opened with, also when another is opened in its place; empty when there is none. */
export function useMailedToken(): string {
  const [token, setToken] = useState(take)
  useEffect(() => {
    const renew = () => setToken(take())
    addEventListener('hashchange', renew)
    return () => removeEventListener('hashchange', renew)
  }, [])
  return token
}
