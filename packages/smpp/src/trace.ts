// A PDU as one line that people can read, for logs and for a test of a carrier's settings. Passwords are never shown.
import { statusName } from './commands.ts'
import { isFault, type PduFault } from './decode.ts'
import type { Pdu, PduInput } from './pdu.ts'
import { type RawTlv, type Tlvs, tlvTags } from './tlv_tags.ts'

const shownOctets = 64

/**
 * For example `submit_sm seq=7 sourceAddr="Tandem" destinationAddr="4915112345678" shortMessage=2:6869`. Fields that are 0
 * or empty are left out; octets are `length:hex`, at most 64 of them; a fault says what is wrong and how it is answered.
 */
export function describePdu(item: Pdu | PduInput | PduFault): string {
  if ('fault' in item && isFault(item as PduFault)) return describeFault(item as PduFault)
  const { command, status = 0, sequence, tlvs, ...fields } = item as PduInput
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    const text = name === 'password' ? '"********"' : describeValue(value)
    return text === null ? [] : [`${name}=${text}`]
  })
  const isAnswer = command.endsWith('_resp') || command === 'generic_nack'
  const outcome = isAnswer || status !== 0 ? [statusName(status)] : []
  return [command, `seq=${sequence}`, ...outcome, ...shown, ...describeTlvs(tlvs)].join(' ')
}

function describeFault({ command, commandId, sequence, detail, status, answer }: PduFault): string {
  const name = command ?? `command_id 0x${commandId.toString(16).padStart(8, '0')}`
  const reply = answer === null ? 'not answered' : `answered ${answer} ${statusName(status)}`
  return `${name} seq=${sequence} MALFORMED: ${detail}; ${reply}`
}

function describeValue(value: unknown): string | null {
  if (value === undefined || value === 0 || value === '') return null
  if (Buffer.isBuffer(value)) return value.length === 0 ? null : describeOctets(value)
  return JSON.stringify(value)
}

function describeOctets(octets: Buffer): string {
  const hex = octets.subarray(0, shownOctets).toString('hex')
  return `${octets.length}:${hex}${octets.length > shownOctets ? '…' : ''}`
}

function describeTlvs(tlvs: Tlvs = {}): string[] {
  return Object.entries(tlvs).flatMap(([property, value]) => {
    if (value === undefined) return []
    if (property !== 'other') {
      const name = tlvTags[property as keyof typeof tlvTags][1]
      return [`${name}=${Buffer.isBuffer(value) ? describeOctets(value) : JSON.stringify(value)}`]
    }
    return (value as RawTlv[]).map(
      ({ tag, value: raw }) => `0x${tag.toString(16).padStart(4, '0')}=${describeOctets(raw)}`,
    )
  })
}
