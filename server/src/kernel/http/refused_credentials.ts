// Credentials that were refused, in the log of the process: there is no organization whose audit log could hold them where nobody knows whose
// they are. One line a minute for each address and reason, and no more than the log can bear.
import { clientKey } from '../access/limit.ts'
import type { Log } from '../observe/log.ts'
import type { ProblemCode } from '../values/problem.ts'

const minuteMs = 60_000
const maxLines = 100

/** Codes with status 401 that refuse nobody: they ask for something more. */
const isQuestion = (code: string) => code === 'missing_credentials' || code.endsWith('_required')

export type RefusedCredential = {
  code: ProblemCode
  ip: string
  requestId: string
  /** What was asked for: the id of an endpoint, or a path. */
  endpoint: string
  nowMs: number
}

/** @returns what notes a refusal. Nothing of the credential is kept. */
export function noteRefusedCredentials(log: Pick<Log, 'warn'>): (refused: RefusedCredential) => void {
  const seen = new Set<string>()
  let [sinceMs, unsaid] = [Number.NEGATIVE_INFINITY, 0]
  return ({ code, ip, requestId, endpoint, nowMs }) => {
    if (isQuestion(code)) return
    if (nowMs - sinceMs >= minuteMs) {
      if (unsaid > 0) log.warn({ count: unsaid }, 'more credentials were refused in a minute')
      seen.clear()
      sinceMs = nowMs
      unsaid = 0
    }
    const key = `${clientKey(ip)} ${code}`
    if (seen.has(key) || seen.size >= maxLines) unsaid++
    else {
      seen.add(key)
      log.warn({ requestId, ip, code, endpoint }, 'a credential was refused')
    }
  }
}
