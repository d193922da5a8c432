// The names of headers: one spelling for each that is known, from its long and its compact form in any case (RFC 3261 §7.3.1,
// §20). With it, `name === 'Call-ID'` is all a reader has to ask.

/** Known headers; the letter is the compact form. */
const known: readonly (readonly [name: string, compact?: string])[] = [
  ['Accept'],
  ['Accept-Contact', 'a'],
  ['Accept-Encoding'],
  ['Accept-Language'],
  ['Alert-Info'],
  ['Allow'],
  ['Allow-Events', 'u'],
  ['Authentication-Info'],
  ['Authorization'],
  ['Call-ID', 'i'],
  ['Call-Info'],
  ['Contact', 'm'],
  ['Content-Disposition'],
  ['Content-Encoding', 'e'],
  ['Content-Language'],
  ['Content-Length', 'l'],
  ['Content-Type', 'c'],
  ['CSeq'],
  ['Date'],
  ['Diversion'],
  ['Error-Info'],
  ['Event', 'o'],
  ['Expires'],
  ['From', 'f'],
  ['History-Info'],
  ['Identity', 'y'],
  ['In-Reply-To'],
  ['Join'],
  ['Max-Forwards'],
  ['MIME-Version'],
  ['Min-Expires'],
  ['Min-SE'],
  ['Organization'],
  ['P-Access-Network-Info'],
  ['P-Asserted-Identity'],
  ['P-Called-Party-ID'],
  ['P-Charging-Vector'],
  ['P-Early-Media'],
  ['P-Preferred-Identity'],
  ['Path'],
  ['Priority'],
  ['Privacy'],
  ['Proxy-Authenticate'],
  ['Proxy-Authorization'],
  ['Proxy-Require'],
  ['RAck'],
  ['Reason'],
  ['Record-Route'],
  ['Refer-Sub'],
  ['Refer-To', 'r'],
  ['Referred-By', 'b'],
  ['Reject-Contact', 'j'],
  ['Remote-Party-ID'],
  ['Replaces'],
  ['Reply-To'],
  ['Request-Disposition', 'd'],
  ['Require'],
  ['Retry-After'],
  ['Route'],
  ['RSeq'],
  ['Server'],
  ['Service-Route'],
  ['Session-Expires', 'x'],
  ['SIP-ETag'],
  ['SIP-If-Match'],
  ['Subject', 's'],
  ['Subscription-State'],
  ['Supported', 'k'],
  ['Target-Dialog'],
  ['Timestamp'],
  ['To', 't'],
  ['Unsupported'],
  ['User-Agent'],
  ['Via', 'v'],
  ['Warning'],
  ['WWW-Authenticate'],
]

const spellings = new Map<string, string>()
for (const [name, compact] of known) {
  for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) spellings.set(spelling, name)
  if (compact !== undefined) spellings.set(compact, name).set(compact.toUpperCase(), name)
}

/** The standard's long spelling of a header name; a name that is not known comes back as it was written. */
export function headerName(written: string): string {
  return spellings.get(written) ?? spellings.get(written.toLowerCase()) ?? written
}

/** Whether two names mean the same header, known or not. */
export function isSameName(one: string, other: string): boolean {
  return one === other || headerName(one).toLowerCase() === headerName(other).toLowerCase()
}
