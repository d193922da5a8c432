// What ids look like, and what each names.
import { nouns } from './nouns.generated.ts'

const prefixes = {
  msg: 'message',
  car: 'carrier',
  trk: 'trunk',
  num: 'number',
  msv: 'service',
  opt: 'opt_out',
  call: 'call',
  req: 'request',
  key: 'key',
  evt: 'event',
  whk: 'webhook',
  dlv: 'delivery',
  conf: 'conference',
  rec: 'recording',
  sipc: 'sip_credential',
  note: 'note',
  task: 'task',
  att: 'attachment',
  tag: 'tag',
  viw: 'view',
  imp: 'import',
  bat: 'batch',
  app: 'app',
  rol: 'role',
  team: 'team',
  hov: 'hand_over',
  aud: 'audit_event',
  ast: 'audit_stream',
  mail: 'mail',
  mtp: 'mail_template',
  msn: 'mail_sender',
  mdo: 'mail_domain',
  mtr: 'mail_transport',
  inm: 'inbound_mail',
  mbx: 'mailbox',
} as const

export type NounKind = keyof typeof nouns
export type InspectedKind = (typeof prefixes)[keyof typeof prefixes] | 'invoice' | NounKind

/** Of nouns whose ids are numbers there is none. */
const nounPrefixes: Readonly<Record<string, NounKind>> = Object.fromEntries(
  Object.entries(nouns).flatMap(([one, noun]) => ('prefix' in noun ? [[noun.prefix, one as NounKind]] : [])),
)

/** Nouns whose ids are numbers, which are named with their noun: `lead:12`. */
const numbered: readonly string[] = [
  ...Object.entries(nouns).flatMap(([one, noun]) => ('prefix' in noun ? [] : [one])),
  'invoice',
]

/** What ids begin with. */
export const idPrefixes: readonly string[] = [...Object.keys(prefixes), ...Object.keys(nounPrefixes)]

/** What an id names, known by its form; undefined when it is none of ours. */
export function kindOfId(id: string): InspectedKind | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(id) ?? []
  if (prefix !== '') return (prefixes as Record<string, InspectedKind>)[prefix] ?? nounPrefixes[prefix]
  const [, one = ''] = /^([a-z_]+):[1-9]\d{0,8}$/.exec(id) ?? []
  return numbered.includes(one) ? (one as InspectedKind) : undefined
}
