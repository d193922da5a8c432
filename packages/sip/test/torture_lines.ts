// How the messages of RFC 4475 are written: what one is, and its lines and bodies in few words.

export type Torture = {
  /** The name the RFC gives it, and its section. */
  name: string
  section: string
  text: string
  /**
   * - 'accept': a well-formed message with a core.
   * - a status: what the parser or the core says; of a response it means that it is dropped.
   * - { refuse }: well-formed, and a user agent refuses it with this status.
   */
  expect: 'accept' | number | { refuse: number }
}

export const sdp = [
  'v=0',
  'o=mhandley 29739 7272939 IN IP4 192.0.2.3',
  's=-',
  'c=IN IP4 192.0.2.4',
  't=0 0',
  'm=audio 49217 RTP/AVP 0 12',
  'm=video 3227 RTP/AVP 31',
  'a=rtpmap:31 LPC',
  '',
].join('\r\n')

/** Octets as Latin-1 text. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1')

export function lines(head: string[], body = ''): string {
  const hasLength = head.some(line => /^(Content-Length|l) *:/i.test(line))
  return [...head, ...(hasLength ? [] : [`Content-Length: ${body.length}`]), '', body].join('\r\n')
}

export type Changes = { start?: string; drop?: string[]; add?: string[]; body?: string }

/** An ordinary request with one thing made wrong: lines of `add` stand for those of the same name. */
export function variant(method: string, { start, drop = [], add = [], body = '' }: Changes): string {
  const nameOf = (line: string) => line.slice(0, line.indexOf(':')).trim().toLowerCase()
  const replaced = new Set([...add.map(nameOf), ...drop.map(name => name.toLowerCase())])
  const base = [
    'To: sip:user@example.com',
    'From: <sip:caller@example.net>;tag=34525',
    'Max-Forwards: 70',
    'Call-ID: torture.0ha0isndaksdj',
    `CSeq: 8 ${method}`,
    'Via: SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw',
    'Contact: <sip:caller@host5.example.net>',
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
  ].filter(line => !replaced.has(nameOf(line)))
  return lines([start ?? `${method} sip:user@example.com SIP/2.0`, ...base, ...add], body)
}

export const weirdMethod = "!interesting-Method0123456789_*+`.%indeed'~"
export const longText = (word: string, times: number) => word.repeat(times)
