// What the phone says to people: why a call ended, and what stands between them and their microphone.

import { faultText } from '../ui/faults.ts'
import { t } from './texts.ts'

export function endingWords(cause: string): string {
  return t.of('ended', cause) ?? t('endedOther', { cause: cause.replaceAll('_', ' ') })
}

/** Faults of the browser by their names (Media Capture and Streams §10.2); all others say it themselves. */
export function describeMicrophoneFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return t.of('microphone', error.name) ?? faultText(error)
}

/** 75,000 ms as 1:15. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}

/** What is called by what was typed: an e-mail address is a colleague's phone in the browser. */
export function calledBy(typed: string): string {
  const text = typed.trim()
  return /^[^\s:@]+@[^\s:@]+$/.test(text) ? `client:${text}` : text
}

/** Whether a text may well be meant as a number to call. */
export function looksDialled(typed: string): boolean {
  return /^\+?[\d\s()./-]+$/.test(typed.trim()) && typed.replace(/\D/g, '').length >= 6
}
