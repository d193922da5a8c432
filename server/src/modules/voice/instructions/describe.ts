// One line for people: what an instruction does, for histories and traces. No secret stands in it: no password, no query
// of an address, no digits that are marked sensitive.
import { withDefaults } from './defaults.ts'
import type { DialTarget, Instruction, InstructionOf, Verb } from './schema.ts'

type Describers = { readonly [V in Verb]: (it: InstructionOf<V>) => string }

const describers: Describers = {
  answer: () => '',
  reject: it => (it.sipCode === undefined ? (it.reason ?? 'declined') : `SIP ${it.sipCode}`),
  say: it => `${excerpt(it.text)} (${withDefaults(it).language})${times(it.loop)}`,
  play: it => `${it.tone ?? address(it.url)}${times(it.loop)}`,
  pause: it => seconds(withDefaults(it).seconds),
  gather(it) {
    const { finishOnKey, timeoutSeconds } = withDefaults(it)
    const count = it.numDigits === undefined ? 'digits' : plural(it.numDigits, 'digit')
    const end = finishOnKey === '' ? '' : ` until ${finishOnKey}`
    return `${it.sensitive === true ? 'secret ' : ''}${count}${end}, ${seconds(timeoutSeconds)}${asks(it.actionUrl)}`
  },
  dial(it) {
    const { strategy, timeoutSeconds, record } = withDefaults(it)
    const order = it.targets.length > 1 ? `${strategy}, ` : ''
    const recorded = record === 'none' ? '' : ', recorded'
    return `${it.targets.map(describeTarget).join(', ')} (${order}${seconds(timeoutSeconds)}${recorded})${asks(it.actionUrl)}`
  },
  conference: it =>
    `${excerpt(it.name)}${it.muted === true ? ', muted' : ''}${it.coach === undefined ? '' : `, coach of ${it.coach}`}`,
  enqueue: it => `${it.queue}, at most ${seconds(withDefaults(it).maxWaitSeconds)}`,
  dequeue: it => it.callId ?? `next of ${it.queue}`,
  leave: () => '',
  record(it) {
    const { mode, channels, maxSeconds } = withDefaults(it)
    return `${mode}, ${channels}${maxSeconds === undefined ? '' : `, at most ${seconds(maxSeconds)}`}${asks(it.actionUrl)}`
  },
  recordStop: () => '',
  recordPause: it => withDefaults(it).behavior,
  recordResume: () => '',
  transfer: it => `${withDefaults(it).leg} to ${describeTarget(it.to)} (${withDefaults(it).mode})`,
  hold: it => withDefaults(it).leg,
  resume: it => withDefaults(it).leg,
  mute: it => withDefaults(it).leg,
  unmute: it => withDefaults(it).leg,
  sendDigits: it => `${it.sensitive === true ? describeDigits(it.digits, it) : it.digits} (${withDefaults(it).method})`,
  detectMachine: it => `${withDefaults(it).mode}, ${seconds(withDefaults(it).timeoutSeconds)}${asks(it.actionUrl)}`,
  redirect: it => address(it.url),
  goto: it => `${it.to}, at most ${plural(withDefaults(it).times, 'time')}`,
  notify: it =>
    Object.keys(it.data)
      .slice(0, 5)
      .map(name => excerpt(name, 20))
      .join(', '),
  tag: it => [...(it.tags ?? []), ...Object.keys(it.metadata ?? {})].map(name => excerpt(name, 20)).join(', '),
  message: it => `${it.to === undefined ? '' : `to ${it.to}, `}${plural([...it.body].length, 'character')}`,
  hangup: it => (it.reason === undefined ? '' : excerpt(it.reason)),
}

/** `dial +15550100002 (30 s)`: one line without control characters, of at most 200 characters. */
export function describeInstruction(instruction: Instruction): string {
  const describe = describers[instruction.verb] as (it: Instruction) => string
  const line = `${instruction.verb} ${describe(instruction)}`.trim().replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
  return line.length <= 200 ? line : `${line.slice(0, 199).toWellFormed()}…`
}

/** Digits as histories, traces and events may show them: of secret ones, how many. */
export function describeDigits(digits: string, { sensitive }: { sensitive?: boolean }): string {
  return sensitive === true ? '•'.repeat(digits.length) : digits
}

/** A copy to answer or to store for people: passwords and secret digits are dots. */
export function withoutSecrets<T>(value: T): T {
  if (Array.isArray(value)) return value.map(item => withoutSecrets(item)) as T
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    if (name === 'password' && typeof member === 'string') return [name, '••••••••']
    if (name === 'uri' && typeof member === 'string') return [name, withoutPassword(member)]
    if (name === 'data' || name === 'metadata' || name === 'headers') return [name, member]
    if (name === 'digits' && 'sensitive' in value && value.sensitive === true)
      return [name, describeDigits(String(member), { sensitive: true })]
    return [name, withoutSecrets(member)]
  })
  return Object.fromEntries(members) as T
}

function describeTarget(target: DialTarget): string {
  switch (target.type) {
    case 'number':
      return target.number
    case 'sip':
      return withoutPassword(target.uri).replace(/\?.*$/, '')
    case 'client':
      return target.identity
    case 'queue':
      return `queue ${target.queue}`
  }
}

/** A SIP address may hold a password before the @ (RFC 3261 §19.1.1). */
function withoutPassword(uri: string): string {
  return uri.replace(/^(sips?:[^:@]*):[^@]*@/i, '$1:•@')
}

function address(url = ''): string {
  const parsed = URL.parse(url)
  return parsed === null ? '' : `${parsed.origin}${parsed.pathname}`
}

function asks(url: string | undefined): string {
  return url === undefined ? '' : `, then asks ${address(url)}`
}

function excerpt(text: string, most = 60): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line)
}

function seconds(count: number): string {
  return `${count} s`
}

function times(count = 1): string {
  return count === 1 ? '' : count === 0 ? ', again and again' : `, ${count} times`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
