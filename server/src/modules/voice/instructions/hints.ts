// What somebody may have meant: the nearest name, and the names that TwiML, jambonz and NCCO have for the same thing, so
// that the error names ours.
import type { Verb } from './schema.ts'

/** Other names of verbs; those of ours in another spelling are found by `nearest`. */
const verbNames: Readonly<Record<string, Verb>> = {
  talk: 'say',
  speak: 'say',
  tts: 'say',
  audio: 'play',
  wait: 'pause',
  sleep: 'pause',
  input: 'gather',
  connect: 'dial',
  call: 'dial',
  conversation: 'conference',
  dtmf: 'sendDigits',
  'sip:refer': 'transfer',
  refer: 'transfer',
  'sip:decline': 'reject',
  decline: 'reject',
  amd: 'detectMachine',
  sms: 'message',
  queue: 'enqueue',
  end: 'hangup',
  jump: 'goto',
  stop: 'hangup',
}

/** Other names of properties: the first that the verb has is the one. */
const propertyNames: Readonly<Record<string, readonly string[]>> = {
  id: ['label'],
  action: ['actionUrl', 'url', 'verb'],
  actionhook: ['actionUrl', 'url'],
  eventurl: ['actionUrl', 'url'],
  timeout: ['timeoutSeconds', 'maxWaitSeconds', 'silenceSeconds'],
  timeoutsecs: ['timeoutSeconds', 'maxSeconds'],
  interdigittimeout: ['betweenDigitsSeconds'],
  betweendigits: ['betweenDigitsSeconds'],
  maxdigits: ['numDigits'],
  mindigits: ['numDigits'],
  digits: ['numDigits', 'digits'],
  submitonhash: ['finishOnKey'],
  endonkey: ['finishOnKey'],
  hanguponstar: ['finishOnKey'],
  actiononemptyresult: ['actionOnEmpty'],
  dtmfbargein: ['bargeIn'],
  say: ['prompt'],
  play: ['prompt'],
  length: ['seconds'],
  timelimit: ['timeLimitSeconds'],
  limit: ['timeLimitSeconds'],
  maxlength: ['maxSeconds'],
  endonsilence: ['silenceSeconds'],
  playbeep: ['beep'],
  beepstart: ['beep'],
  target: ['targets', 'to'],
  endpoint: ['targets'],
  number: ['targets', 'to'],
  from: ['callerId'],
  sequential: ['strategy'],
  ringtone: ['ringbackUrl'],
  ringbacktone: ['ringbackUrl'],
  dialmusic: ['ringbackUrl'],
  confirmhook: ['confirmUrl'],
  startconferenceonenter: ['startOnEnter'],
  endconferenceonexit: ['endOnExit'],
  joinmuted: ['muted'],
  canspeak: ['muted', 'coach'],
  waithook: ['waitUrl'],
  musiconholdurl: ['wait'],
  name: ['queue', 'identity'],
  seekoffset: ['seekSeconds'],
  streamurl: ['url'],
  level: ['loop'],
  text: ['text', 'body'],
  duration: ['seconds', 'toneMs'],
  status: ['sipCode', 'reason'],
  referto: ['to'],
  data: ['metadata'],
  sipuri: ['uri'],
  username: ['user'],
  auth: ['user'],
  machinedetection: ['mode'],
  payload: ['data'],
}

/** The verb that a name of no verb may have meant. */
export function meantVerb(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const other = Object.hasOwn(verbNames, name.toLowerCase()) ? verbNames[name.toLowerCase()] : undefined
  return nearest(name, known) ?? (other !== undefined && known.includes(other) ? other : undefined)
}

/** The property that a name of none may have meant. */
export function meantProperty(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const plain = name.toLowerCase()
  const others = Object.hasOwn(propertyNames, plain) ? propertyNames[plain] : undefined
  return others?.find(other => known.includes(other)) ?? nearest(name, known)
}

const longest = 40

/** The known name nearest to a misspelt one: a letter or two apart, or the same but for case and `_`. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '')
  const wanted = plain(name)
  const same = known.find(candidate => plain(candidate) === wanted)
  if (same !== undefined) return same
  const most = wanted.length >= 6 ? 2 : 1
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate))
    if (distance <= most && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best?.candidate
}

/** How many letters to add, drop, change or swap with their neighbour (Damerau's distance, of aligned parts). */
function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1, isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length]!
}
