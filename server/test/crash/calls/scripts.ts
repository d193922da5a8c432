// What the carriers of a crash run do with a call, as scenarios for sipp. CARRIER is where the server sees it, SOUND the port it says it
// hears at; times are in ms.

/** How a carrier treats its calls. */
export const behaviours = ['hangs_up', 'waits', 'silent', 'held', 'busy', 'rings', 'unavailable'] as const
export type Behaviour = (typeof behaviours)[number]

export type ScriptOptions = {
  /** Where the server sees it: an address with its port. */
  carrier: string
  sound: number
  /** How long a remote party talks that hangs up by itself, at least and at most. */
  talkMs: readonly [number, number]
  /** How long it keeps the call on hold. */
  holdMs: number
}

const invite = '<recv request="INVITE" crlf="true"/>'
const ack = '<recv request="ACK"/>'
const common = `
      [last_Via:]
      [last_From:]
      [last_To:];tag=[pid]x[call_number]
      [last_Call-ID:]`

function message(text: string, attributes = ''): string {
  return `<send${attributes}><![CDATA[\n\n${text}\n\n]]></send>`
}

function sdp({ sound }: ScriptOptions, direction: string): string {
  return `
      v=0
      o=far 1 1 IN IP4 127.0.0.1
      s=-
      c=IN IP4 127.0.0.1
      t=0 0
      m=audio ${sound} RTP/AVP 0 96
      a=rtpmap:0 PCMU/8000
      a=rtpmap:96 telephone-event/8000
      a=fmtp:96 0-15
      a=${direction}`
}

/** A final answer is repeated until its ACK comes. */
function answer(status: string, body = '', contact = ''): string {
  const type = body === '' ? '' : '\n      Content-Type: application/sdp'
  return message(
    `      SIP/2.0 ${status}${common}
      CSeq: 1 INVITE${contact}${type}
      Content-Length: [len]
${body}`,
    ' retrans="500"',
  )
}

const ringing = (contact: string) =>
  message(`      SIP/2.0 180 Ringing${common}\n      [last_CSeq:]${contact}\n      Content-Length: 0`)

/** A request of the remote party within a call that it was called in. */
function request(method: string, cseq: number, contact = '', body = '', attributes = ' retrans="500"'): string {
  const type = body === '' ? '' : '\n      Content-Type: application/sdp'
  return message(
    `      ${method} [next_url] SIP/2.0
      Via: SIP/2.0/UDP [local_ip]:[local_port];rport;branch=[branch]
      From: [$2];tag=[pid]x[call_number]
      To: [$1]
      [last_Call-ID:]
      CSeq: ${cseq} ${method}${contact}
      Max-Forwards: 70${type}
      Content-Length: [len]
${body}`,
    attributes,
  )
}

const okToBye = message(`      SIP/2.0 200 OK
      [last_Via:]
      [last_From:]
      [last_To:]
      [last_Call-ID:]
      [last_CSeq:]
      Content-Length: 0`)

/** Where every scenario ends; what is repeated is answered for a while. */
const end = '<label id="9"/><timewait milliseconds="8000"/></scenario>'
const over = '<nop next="9"/>'
const byeEnd = `<label id="7"/>${okToBye}${over}`
const cancelEnd = `<label id="6"/>${message(`      SIP/2.0 200 OK${common}\n      [last_CSeq:]\n      Content-Length: 0`)}${answer(
  '487 Request Terminated',
)}${ack}${over}`

/** Who is called keeps whom it talks with: its own requests name them the other way round. */
const rememberedInvite = `<recv request="INVITE" crlf="true" rrs="true"><action>
  <ereg regexp=".*" search_in="hdr" header="From:" assign_to="1"/>
  <ereg regexp=".*" search_in="hdr" header="To:" assign_to="2"/>
</action></recv><Reference variables="1,2"/>`

/**
 * Waits for a request and goes to the label `then` when it comes. With two spans of time each call takes one of them by chance; `own` is the
 * number of a free label.
 */
function meanwhile(method: string, then: number, [short, long]: readonly [number, number], own: number): string {
  const wait = (ms: number) => `<recv request="${method}" timeout="${ms}" ontimeout="${own + 1}" next="${then}"/>`
  return `<nop next="${own}" chance="0.5"/>${wait(short)}<label id="${own}"/>${wait(long)}<label id="${own + 1}"/>`
}

/** Rings a moment, unless it is canceled, and picks up. */
function pickUp(options: ScriptOptions): string {
  const contact = `\n      Contact: <sip:far@${options.carrier}>`
  return [
    rememberedInvite,
    ringing(contact),
    meanwhile('CANCEL', 6, [150, 600], 11),
    answer('200 OK', sdp(options, 'sendrecv'), contact),
    ack,
  ].join('\n')
}

const hangUp = (
  cseq: number,
) => `${request('BYE', cseq)}<recv response="481" optional="true" next="8"/><recv response="200"/>
<label id="8"/>${over}`

const scripts: Record<Behaviour, (options: ScriptOptions) => string> = {
  hangs_up: options =>
    [pickUp(options), meanwhile('BYE', 7, options.talkMs, 13), hangUp(2), byeEnd, cancelEnd].join('\n'),
  waits: options => [pickUp(options), '<recv request="BYE"/>', byeEnd, cancelEnd].join('\n'),
  // The same; it is its link that lets no sound through.
  silent: options => scripts.waits(options),
  held: options => {
    const contact = `\n      Contact: <sip:far@${options.carrier}>`
    const ackOfHold = request('ACK', 2, contact, '', '')
    return [
      pickUp(options),
      meanwhile('BYE', 7, [300, 500], 13),
      request('INVITE', 2, contact, sdp(options, 'inactive')),
      '<recv response="100" optional="true"/><recv response="481" optional="true" next="8"/><recv response="200" rrs="true"/>',
      ackOfHold,
      meanwhile('BYE', 7, [options.holdMs, options.holdMs + 500], 15),
      hangUp(3),
      byeEnd,
      cancelEnd,
    ].join('\n')
  },
  busy: () => [invite, answer('486 Busy Here'), ack].join('\n'),
  rings: ({ carrier }) =>
    [invite, ringing(`\n      Contact: <sip:far@${carrier}>`), '<recv request="CANCEL"/>', cancelEnd].join('\n'),
  unavailable: () => [invite, answer('503 Service Unavailable'), ack].join('\n'),
}

export function scriptOf(behaviour: Behaviour, options: ScriptOptions): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="${behaviour}">\n${scripts[behaviour](options)}\n${end}\n`
}

/** A caller: lets it ring, talks and hangs up. CALLED is the number it calls. */
export function callerScript(options: ScriptOptions, called: string): string {
  const contact = `\n      Contact: <sip:far@${options.carrier}>`
  const head = (method: string, to: string, cseq: number, uri: string) => `      ${method} ${uri} SIP/2.0
      Via: SIP/2.0/UDP [local_ip]:[local_port];rport;branch=[branch]
      From: <sip:+4917100[call_number]@${options.carrier}>;tag=[pid]x[call_number]
      To: <sip:${called}@[remote_ip]>${to}
      Call-ID: [call_id]
      CSeq: ${cseq} ${method}${contact}
      Max-Forwards: 70`
  const first = `sip:${called}@[remote_ip]:[remote_port]`
  const refused = ['404', '403', '480', '486', '500', '503'].map(
    status => `<recv response="${status}" optional="true" next="5"/>`,
  )
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="caller">
${message(`${head('INVITE', '', 1, first)}\n      Content-Type: application/sdp\n      Content-Length: [len]\n${sdp(options, 'sendrecv')}`, ' retrans="500"')}
<recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="183" optional="true"/>
${refused.join('')}
<recv response="200" rrs="true"/>
${message(`${head('ACK', '[peer_tag_param]', 1, '[next_url]')}\n      Content-Length: 0`)}
${meanwhile('BYE', 7, options.talkMs, 13)}
${message(`${head('BYE', '[peer_tag_param]', 2, '[next_url]')}\n      Content-Length: 0`, ' retrans="500"')}
<recv response="481" optional="true" next="8"/><recv response="200"/>
<label id="8"/>${over}
${byeEnd}
<label id="5"/>
${message(`${head('ACK', '[peer_tag_param]', 1, first)}\n      Content-Length: 0`)}
${end}
`
}
