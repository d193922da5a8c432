// A digit in an INFO request, in the two ways that telephones have of it (draft-kaplan-dispatch-info-dtmf-package, Cisco's
// dtmf-relay): RFC 4733 is the better way, and this is for those who cannot.
import { header } from '../headers.ts'
import type { SipRequest } from '../message.ts'

export const digitType = 'application/dtmf-relay'

export function writeDigit(digit: string, durationMs: number): Buffer {
  return Buffer.from(`Signal=${digit}\r\nDuration=${durationMs}\r\n`)
}

/** Undefined for an INFO that is about something else. */
export function readDigit(request: SipRequest): { digit: string; durationMs: number } | undefined {
  const type = header(request, 'Content-Type')?.split(';')[0]?.trim().toLowerCase()
  const text = request.body.toString('latin1', 0, 256)
  if (type === 'application/dtmf') return digitOf(/^\s*([0-9A-D*#])\s*$/i.exec(text)?.[1], 100)
  if (type !== digitType) return undefined
  const durationMs = Number(/^\s*duration\s*=\s*(\d{1,5})/im.exec(text)?.[1] ?? 100)
  return digitOf(/^\s*signal\s*=\s*([0-9A-D*#])/im.exec(text)?.[1], durationMs)
}

function digitOf(digit: string | undefined, durationMs: number) {
  return digit === undefined ? undefined : { digit: digit.toUpperCase(), durationMs }
}
