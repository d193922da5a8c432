// How a SIP message is shown to people: as it was, but for what would open something to a reader. Answers to challenges can be
// tried against passwords offline, and the keys of the sound open it; both are hidden however they are spelt.
import { type SipMessage, serializeMessage } from '@tandem/sip'

/** A header line with what is folded into it. They also stand in bodies that hold a message. */
const credentials = /^((?:proxy-)?authorization[ \t]*:[ \t]*)(.*(?:\r?\n[ \t].*)*)/gim
const proofs = /^((?:proxy-)?authentication-info[ \t]*:).*(?:\r?\n[ \t].*)*/gim
/** SDES (RFC 4568), and the older line for keys (RFC 8866 §5.12). */
const soundKeys = /^([ \t]*(?:a=crypto[ \t]*:.*?inline:|k=[a-z0-9]+:)).*/gim
const parameter = /\s*([^\s=,]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)/y

export function traceText(message: SipMessage): string {
  return hiddenText(serializeMessage(message).toString('utf8'))
}

/** PostgreSQL keeps no NUL in a text, and would refuse the messages of other calls with it. */
export function hiddenText(text: string): string {
  return text
    .replace(credentials, (_, name: string, value: string) => `${name}${hiddenCredentials(value)}`)
    .replace(proofs, '$1 …')
    .replace(soundKeys, '$1…')
    .replaceAll('\0', '\ufffd')
}

/** Of a digest it can be seen whose it is. */
function hiddenCredentials(value: string): string {
  const [scheme = ''] = value.split(/\s/, 1)
  const username = scheme.toLowerCase() === 'digest' ? usernameIn(value.slice(scheme.length)) : undefined
  return username === undefined ? `${scheme} …` : `${scheme} username=${username}, …`
}

function usernameIn(parameters: string): string | undefined {
  parameter.lastIndex = 0
  for (let match = parameter.exec(parameters); match !== null; match = parameter.exec(parameters)) {
    if (match[1]?.toLowerCase() === 'username') return match[2]?.trimEnd()
    if (parameter.lastIndex >= parameters.length) break
  }
  return undefined
}
