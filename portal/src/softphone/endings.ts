// Why a call ended, and what stands between people and their microphone.
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
