// The messages of RFC 4475, each with what is right to do with it. Written compactly: bodies that do not matter are short,
// Content-Length is put in where the message is not about it.
import type { Torture } from './torture_lines.ts'
import { sdp, variant } from './torture_lines.ts'
import { validTorture } from './torture_valid.ts'

export type { Torture } from './torture_lines.ts'

export const torture: readonly Torture[] = [
  ...validTorture,
  {
    name: 'badinv01',
    section: '3.1.2.1',
    expect: 400,
    text: variant('INVITE', {
      add: ['Via: SIP/2.0/UDP 192.0.2.15;;,;,,', 'Contact: "Joe" <sip:joe@example.org>;;;;'],
      body: sdp,
    }),
  },
  {
    name: 'clerr',
    section: '3.1.2.2',
    expect: 400,
    text: variant('INVITE', { add: ['Content-Length: 9999'], body: sdp }),
  },
  {
    name: 'ncl',
    section: '3.1.2.3',
    expect: 400,
    text: variant('INVITE', { add: ['Content-Length: -999'], body: sdp }),
  },
  {
    name: 'scalar02',
    section: '3.1.2.4',
    expect: 400,
    text: variant('REGISTER', {
      start: 'REGISTER sip:example.com SIP/2.0',
      add: [
        'CSeq: 36893488147419103232 REGISTER',
        'Max-Forwards: 300',
        `Expires: 1${'0'.repeat(100)}`,
        'Contact: <sip:user@host129.example.com>;expires=280297596632815',
      ],
    }),
  },
  {
    name: 'scalarlg',
    section: '3.1.2.5',
    expect: 400,
    text: variant('OPTIONS', {
      start: 'SIP/2.0 503 Service Unavailable',
      add: [
        'CSeq: 9292394834772304023312 OPTIONS',
        'Retry-After: 949302838503028349304023988',
        'Warning: 1812 overture "In Progress"',
      ],
    }),
  },
  {
    name: 'quotbal',
    section: '3.1.2.6',
    expect: 400,
    text: variant('INVITE', { add: ['To: "Mr. J. User <sip:j.user@example.com>'], body: sdp }),
  },
  {
    name: 'ltgtruri',
    section: '3.1.2.7',
    expect: 400,
    text: variant('INVITE', { start: 'INVITE <sip:user@example.com> SIP/2.0', body: sdp }),
  },
  {
    name: 'lwsruri',
    section: '3.1.2.8',
    expect: 400,
    text: variant('INVITE', { start: 'INVITE sip:user@example.com; lr SIP/2.0', body: sdp }),
  },
  {
    name: 'lwsstart',
    section: '3.1.2.9',
    expect: 400,
    text: variant('INVITE', { start: 'INVITE  sip:user@example.com  SIP/2.0', body: sdp }),
  },
  {
    name: 'trws',
    section: '3.1.2.10',
    expect: 400,
    text: variant('OPTIONS', { start: 'OPTIONS sip:remote-target@example.com SIP/2.0  ' }),
  },
  {
    name: 'escruri',
    section: '3.1.2.11',
    expect: 400,
    text: variant('INVITE', { start: 'INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0', body: sdp }),
  },
  {
    // An element that does not use Date may ignore it; reading it is a fault.
    name: 'baddate',
    section: '3.1.2.12',
    expect: 'accept',
    text: variant('INVITE', { add: ['Date: Fri, 01 Jan 2010 16:00:00 EST'], body: sdp }),
  },
  {
    name: 'regbadct',
    section: '3.1.2.13',
    expect: 400,
    text: variant('REGISTER', { add: ['Contact: sip:user@example.com?Route=%3Csip:sip.example.com%3E'] }),
  },
  {
    name: 'badaspec',
    section: '3.1.2.14',
    expect: 400,
    text: variant('OPTIONS', { add: ['To: "Watson, Thomas" < sip:t.watson@example.org >'] }),
  },
  {
    name: 'baddn',
    section: '3.1.2.15',
    expect: 400,
    text: variant('OPTIONS', { add: ['From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43'] }),
  },
  {
    name: 'badvers',
    section: '3.1.2.16',
    expect: 505,
    text: variant('OPTIONS', { start: 'OPTIONS sip:t.watson@example.org SIP/7.0' }),
  },
  { name: 'mismatch01', section: '3.1.2.17', expect: 400, text: variant('OPTIONS', { add: ['CSeq: 8 INVITE'] }) },
  {
    name: 'mismatch02',
    section: '3.1.2.18',
    expect: 400,
    text: variant('NEWMETHOD', { add: ['CSeq: 8 INVITE'], body: sdp }),
  },
  {
    name: 'bigcode',
    section: '3.1.2.19',
    expect: 400,
    text: variant('INVITE', { start: 'SIP/2.0 4294967301 better not break the receiver' }),
  },

  {
    // It may be matched as RFC 2543 did: isUniqueBranch says that its branch is none.
    name: 'badbranch',
    section: '3.2.1',
    expect: 'accept',
    text: variant('OPTIONS', { add: ['Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK'] }),
  },

  {
    name: 'insuf',
    section: '3.3.1',
    expect: 400,
    text: variant('INVITE', { drop: ['To', 'From', 'Call-ID'], body: sdp }),
  },
  {
    name: 'unkscm',
    section: '3.3.2',
    expect: { refuse: 416 },
    text: variant('OPTIONS', { start: 'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0' }),
  },
  {
    name: 'novelsc',
    section: '3.3.3',
    expect: { refuse: 416 },
    text: variant('OPTIONS', { start: 'OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0' }),
  },
  {
    // Well-formed; that To must be a SIP URI is for a registrar to say.
    name: 'unksm2',
    section: '3.3.4',
    expect: 'accept',
    text: variant('REGISTER', {
      add: ['To: isbn:2983792873', 'From: <http://www.example.com>;tag=3234233', 'Contact: <name:John_Smith>'],
    }),
  },
  {
    name: 'bext01',
    section: '3.3.5',
    expect: { refuse: 420 },
    text: variant('OPTIONS', {
      add: [
        'Require: nothingSupportsThis, nothingSupportsThisEither',
        'Proxy-Require: noProxiesSupportThis, norDoAnyProxiesSupportThis',
      ],
    }),
  },
  {
    name: 'invut',
    section: '3.3.6',
    expect: { refuse: 415 },
    text: variant('INVITE', {
      add: ['Content-Type: application/unknownformat'],
      body: '<audio>\r\n <pcmu port="443"/>\r\n</audio>',
    }),
  },
  {
    name: 'regaut01',
    section: '3.3.7',
    expect: 'accept',
    text: variant('REGISTER', { add: ['Authorization: NoOneKnowsThisScheme opaque-data=here'] }),
  },
  {
    name: 'multi01',
    section: '3.3.8',
    expect: 400,
    text: variant('INVITE', {
      add: [
        'CSeq: 5 INVITE',
        'Call-ID: multi01.98asdh@192.0.2.1',
        'Call-ID: multi01.98asdh@192.0.2.2',
        'CSeq: 59 INVITE',
        'From: sip:caller@example.com;tag=3413415',
        'From: sip:caller@example.net;tag=2923420123',
        'Max-Forwards: 70',
        'Max-Forwards: 5',
        'To: sip:user@example.com',
        'To: sip:other@example.net',
      ],
      body: sdp,
    }),
  },
  {
    name: 'mcl01',
    section: '3.3.9',
    expect: 400,
    text: variant('OPTIONS', { add: ['Content-Length: 13', 'Content-Length: 5'], body: 'There are no.' }),
  },
  {
    // Well-formed; a client drops it because it has two Via, a proxy because the second is a broadcast address.
    name: 'bcast',
    section: '3.3.10',
    expect: 'accept',
    text: variant('INVITE', {
      start: 'SIP/2.0 200 OK',
      add: [
        'Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923',
        'Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23',
      ],
      body: sdp,
    }),
  },
  { name: 'zeromf', section: '3.3.11', expect: 'accept', text: variant('OPTIONS', { add: ['Max-Forwards: 0'] }) },
  {
    name: 'cparam01',
    section: '3.3.12',
    expect: 'accept',
    text: variant('REGISTER', { add: ['Contact: sip:+19725552222@gw1.example.net;unknownparam'] }),
  },
  {
    name: 'cparam02',
    section: '3.3.13',
    expect: 'accept',
    text: variant('REGISTER', { add: ['Contact: <sip:+19725552222@gw1.example.net;unknownparam>'] }),
  },
  {
    name: 'regescrt',
    section: '3.3.14',
    expect: 'accept',
    text: variant('REGISTER', { add: ['Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>'] }),
  },
  {
    name: 'sdp01',
    section: '3.3.15',
    expect: { refuse: 406 },
    text: variant('INVITE', { add: ['Accept: text/nobodyKnowsThis'], body: sdp }),
  },

  {
    name: 'inv2543',
    section: '3.4.1',
    expect: 'accept',
    text: variant('INVITE', {
      start: 'INVITE sip:UserB@example.com SIP/2.0',
      drop: ['Max-Forwards', 'Contact'],
      add: [
        'Via: SIP/2.0/UDP iftgw.example.com',
        'From: <sip:+13035551111@ift.client.example.net;user=phone>',
        'Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>',
        'To: sip:+16505552222@ss1.example.net;user=phone',
        'CSeq: 56 INVITE',
      ],
      body: sdp,
    }),
  },
]

/** The octets as they come from the net. */
export function datagramOf({ text }: Torture): Buffer {
  return Buffer.from(text, 'latin1')
}
