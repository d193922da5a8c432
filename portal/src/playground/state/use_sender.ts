// Sending as a piece of the screen: one request at a time, with its progress, a way to stop it, and what came of it.
import { useEffect, useRef, useState } from 'react'
import { warmUp } from '../body/prepare.ts'
import type { Mode } from '../kept/drafts.ts'
import type { StreamEnd } from '../kept/followed.ts'
import type { Draft, Effective } from '../request/request.ts'
import type { CredentialFacts } from '../sending/explain.ts'
import { type Outcome, type Progress, sendRequest } from '../sending/send.ts'
import type { Tested } from '../tests/answer.ts'

/** A request that was sent, with all that is needed to explain its answer later. */
export type SentResult = {
  outcome: Outcome
  draft: Draft
  effective: Effective
  endpointId: string | undefined
  credential: CredentialFacts | undefined
  actingMode: Mode
  receivedAtMs: number
  /** The body of an error, parsed; undefined for others. */
  errorJson: unknown
  /** What came of the tests of its answer, where it has any. */
  tested?: Tested | undefined
}

export type ShownProgress = Omit<Progress, 'newest'> & { newest: StreamEnd | undefined }
export type Sending = { startMs: number; progress: ShownProgress | undefined }
export type SendContext = Pick<SentResult, 'draft' | 'endpointId' | 'credential' | 'actingMode'>

/** Larger bodies of errors are not searched for a code. */
const MAX_ERROR_BYTES = 512_000
const PROGRESS_EVERY_MS = 100

export type Sender = {
  sending: Sending | undefined
  send(effective: Effective, context: SendContext): Promise<SentResult | undefined>
  cancel(): void
}

/** A request goes on when one looks at another screen meanwhile: its answer is there on coming back. A stream ends then. */
export function useSender(): Sender {
  const [sending, setSending] = useState<Sending>()
  const running = useRef<AbortController>(undefined)
  const isStream = useRef(false)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      if (isStream.current) running.current?.abort()
    }
  }, [])

  async function send(effective: Effective, context: SendContext): Promise<SentResult | undefined> {
    if (running.current !== undefined) return undefined
    const controller = new AbortController()
    running.current = controller
    const startMs = performance.now()
    setSending({ startMs, progress: undefined })
    const shown = paced(progress => setSending({ startMs, progress: { ...progress, newest: progress.newest?.() } }))
    try {
      const outcome = await sendRequest(effective, {
        signal: controller.signal,
        follows: true,
        onProgress(progress) {
          warmUp(Math.max(progress.bytes, progress.totalBytes ?? 0))
          isStream.current = progress.newest !== undefined
          // Nobody could end it any more.
          if (isStream.current && isLeft.current) controller.abort()
          shown.take(progress)
        },
      })
      const errorJson = await readErrorJson(outcome)
      return { ...context, outcome, effective, receivedAtMs: Date.now(), errorJson }
    } finally {
      shown.end()
      isStream.current = false
      running.current = undefined
      setSending(undefined)
    }
  }

  return { sending, send, cancel: () => running.current?.abort() }
}

/** Hands on the newest progress from time to time, the last one too: behind it there may be silence. */
function paced(show: (progress: Progress) => void) {
  let latest: Progress | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownMs = Number.NEGATIVE_INFINITY
  const look = () => {
    timer = undefined
    shownMs = performance.now()
    if (latest !== undefined) show(latest)
  }
  return {
    take(progress: Progress) {
      latest = progress
      timer ??= setTimeout(look, Math.max(0, shownMs + PROGRESS_EVERY_MS - performance.now()))
    },
    end: () => clearTimeout(timer),
  }
}

async function readErrorJson(outcome: Outcome): Promise<unknown> {
  if (outcome.kind !== 'answer' || outcome.status < 400 || outcome.body.size > MAX_ERROR_BYTES) return undefined
  try {
    return JSON.parse(await outcome.body.text())
  } catch {
    return undefined
  }
}
