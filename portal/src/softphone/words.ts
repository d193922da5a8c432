// What the phone says to people: why a call ended, and what stands between them and their microphone.

const endings: Record<string, string> = {
  normal: 'Call ended',
  time_limit: 'The call reached its time limit',
  user_busy: 'Busy',
  no_answer: 'Nobody answered',
  not_registered: 'That phone is not turned on',
  declined: 'Declined',
  canceled: 'The call was given up',
  answered_elsewhere: 'Answered elsewhere',
  unallocated: 'This number is not in service',
  number_changed: 'This number has changed',
  bad_format: 'This number is not complete',
  caller_id_not_allowed: 'The carrier refuses the number shown',
  no_route: 'Not called: no trunk takes calls to this number',
  destination_not_allowed: 'Calls to this number are not allowed here',
  destination_premium: 'Premium-rate, satellite and similar numbers are shut here',
  address_of_trunk: 'Not called: a trunk leads there, so call the number',
  concurrent_calls_exceeded: 'Too many calls are under way',
  daily_calls_exceeded: 'The calls of the day are used up',
  media_timeout: 'The sound stopped, so the call ended',
  node_lost: 'The server was restarted, and the call was lost',
}

export function endingWords(cause: string): string {
  return endings[cause] ?? `Call ended: ${cause.replaceAll('_', ' ')}`
}

/** Faults of the browser by their names (Media Capture and Streams §10.2); all others say it themselves. */
const microphoneFaults: Record<string, string> = {
  NotAllowedError:
    'The browser does not let this page use the microphone. Allow it at the left of the address bar, then try again.',
  NotFoundError: 'There is no microphone. Connect one, then try again.',
  NotReadableError: 'The microphone is taken by another program. Close that, then try again.',
  SecurityError: 'Browsers give pages a microphone only on https or localhost. Open the portal there.',
}

export function describeMicrophoneFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return microphoneFaults[error.name] ?? error.message
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
