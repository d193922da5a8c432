// Where a person comes back to who let the Playground in: hands the answer to the page that asked, and closes.
import { useEffect, useState } from 'react'
import { Frame } from '../authorize/frame.tsx'
import { TextLink, useDocumentTitle } from '../ui/index.ts'
import { type Answered, handOver } from './request/oauth.ts'
import { t } from './texts.ts'

/** What the address says; it is taken out of there at once. Undefined: nobody was asked. */
function answerOfAddress(): Answered | undefined {
  const search = new URLSearchParams(window.location.search)
  const read = (name: string) => search.get(name) ?? undefined
  const [state, code, error, description, issuer] = ['state', 'code', 'error', 'error_description', 'iss'].map(read)
  window.history.replaceState(window.history.state, '', window.location.pathname)
  if (state === undefined) return undefined
  return {
    state,
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error }),
    ...(description === undefined ? {} : { description }),
    ...(issuer === undefined ? {} : { issuer }),
  }
}

let handed: Promise<boolean> | undefined

/** Once: an answer is good for one exchange, and pages may be drawn twice. */
function handOnce(): Promise<boolean> {
  const answer = answerOfAddress()
  return answer === undefined ? Promise.resolve(false) : handOver(answer)
}

export function AuthorizedScreen() {
  useDocumentTitle(t('backToPlayground'))
  const [taken, setTaken] = useState<boolean>()
  useEffect(() => {
    handed ??= handOnce()
    void handed.then(isTaken => {
      setTaken(isTaken)
      if (isTaken) window.close()
    })
  }, [])
  return (
    <Frame>
      <h1>{t('backToPlayground')}</h1>
      <p role="status">{t(taken === undefined ? 'answerGoes' : taken ? 'answerTaken' : 'answerLost')}</p>
      {taken !== undefined && <TextLink to="/playground">{t('openPlayground')}</TextLink>}
    </Frame>
  )
}
