// A real Asterisk at the other end of SIP, for tests: as a carrier that a trunk leads to, and as a phone that registers.
import { type Found, runAsterisk } from './real_asterisk.ts'
import type { Account } from './sip_phones.ts'

/** A number of ours that it calls. */
export const own = '+15550100077'

/** What it does with the numbers that it is called at; it answers all others that start with +, and gives their sound back. */
export const called = {
  echo: '+15550120001',
  /** It waits for two keys, and hangs up for the cause that is dialled after them where they are 42. */
  keys: '+15550120002',
  /** Its dialplan comes to an end without a word on why. */
  ends: '+15550120003',
  busy: '+15550120004',
  unallocated: '+15550120005',
  /** It asks to be connected with `echo`, once it has answered. */
  refers: '+15550120006',
  /** It answers and connects with somebody of its own. */
  bridged: '+15550120007',
  /** It calls us. */
  back: '+15550120008',
} as const

const dialplan = `[general]
static = yes

[from-tandem]
exten => ${called.keys},1,Answer()
 same => n,Read(KEYS,,2,,1,10)
 same => n,GotoIf($["\${KEYS}" = "42"]?right)
 same => n,Hangup(16)
 same => n(right),Hangup(31)
exten => ${called.ends},1,Answer()
 same => n,Wait(1)
exten => ${called.busy},1,Busy(1)
exten => ${called.unallocated},1,Hangup(1)
exten => ${called.refers},1,Answer()
 same => n,Wait(1)
 same => n,Transfer(PJSIP/sip:${called.echo}@127.0.0.1)
 same => n,Hangup(\${IF($["\${TRANSFERSTATUS}" = "SUCCESS"]?16:38)})
exten => ${called.bridged},1,Dial(Local/echo@inside)
exten => ${called.back},1,Dial(PJSIP/${own}@tandem)
exten => _[+].,1,Answer()
 same => n,Echo()
exten => _[a-z].,1,Answer()
 same => n,Echo()

[inside]
exten => echo,1,Answer()
 same => n,Echo()

; What it calls by itself: keys, and then nothing more.
[calling]
exten => keys,1,Wait(1)
 same => n,SendDTMF(42)
 same => n,Wait(1)
 same => n,Hangup(31)
exten => echo,1,Echo()
`

const transport = (port: number) => `[transport]
type = transport
protocol = udp
bind = 127.0.0.1:${port}
`
const sound = 'disallow = all\nallow = ulaw,alaw\ndirect_media = no\ncontext = from-tandem\n'

/** A carrier that knows its customer by the address. */
export function startAsteriskCarrier(found: Found, tandemPort: number) {
  return runAsterisk(found, ({ sipPort }) => ({
    'extensions.conf': dialplan,
    'pjsip.conf': `${transport(sipPort)}
[tandem]
type = endpoint
aors = tandem
${sound}
[tandem]
type = aor
contact = sip:127.0.0.1:${tandemPort}

[tandem]
type = identify
endpoint = tandem
match = 127.0.0.1
`,
  }))
}

/** A phone with this account. */
export function startAsteriskPhone(found: Found, tandemPort: number, { user, password }: Account) {
  return runAsterisk(found, ({ sipPort }) => ({
    'extensions.conf': dialplan,
    'pjsip.conf': `${transport(sipPort)}
[account]
type = auth
auth_type = userpass
username = ${user}
password = ${password}

[tandem]
type = registration
transport = transport
outbound_auth = account
outbound_proxy = sip:127.0.0.1:${tandemPort}\\;lr
server_uri = sip:phones.test
client_uri = sip:${user}@phones.test
contact_user = phone
retry_interval = 1
expiration = 120

[tandem]
type = endpoint
aors = tandem
outbound_auth = account
outbound_proxy = sip:127.0.0.1:${tandemPort}\\;lr
from_user = ${user}
from_domain = phones.test
${sound}
[tandem]
type = aor
contact = sip:phones.test

[tandem]
type = identify
endpoint = tandem
match = 127.0.0.1
`,
  }))
}
