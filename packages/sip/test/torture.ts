// The messages of RFC 4475, each with what is right to do with it. Written compactly: bodies that do not matter are short,
// Content-Length is put in where the message is not about it.

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

const sdp = [
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
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

function lines(head: string[], body = ''): string {
  const hasLength = head.some(line => /^(Content-Length|l) *:/i.test(line))
  return [...head, ...(hasLength ? [] : [`Content-Length: ${body.length}`]), '', body].join('\r\n')
}

type Changes = { start?: string; drop?: string[]; add?: string[]; body?: string }

/** An ordinary request with one thing made wrong: lines of `add` stand for those of the same name. */
function variant(method: string, { start, drop = [], add = [], body = '' }: Changes): string {
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

const weirdMethod = "!interesting-Method0123456789_*+`.%indeed'~"
const longText = (word: string, times: number) => word.repeat(times)

export const torture: readonly Torture[] = [
  {
    name: 'wsinv',
    section: '3.1.1.1',
    expect: 'accept',
    text: lines(
      [
        'INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0',
        'TO :',
        ' sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n',
        'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
        '  ;',
        '  tag = 98asjd8',
        'MaX-fOrWaRdS: 0068',
        'Call-ID: wsinv.ndaksdj@192.0.2.1',
        'Content-Length   : 150',
        'cseq: 0009',
        '  INVITE',
        'Via  : SIP  /   2.0',
        ' /UDP',
        '    192.0.2.2;branch=390skdjuw',
        's :',
        'NewFangledHeader:   newfangled value',
        ' continued newfangled value',
        'UnknownHeaderWithUnusualValue: ;;,,;;,;',
        'Content-Type: application/sdp',
        'Route:',
        ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
        'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
        '  branch  =   z9hG4bK9ikj8  ,',
        ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
        ' z9hG4bK30239',
        'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
        '      newvalue ;',
        '  secondparam ; q = 0.33',
      ],
      sdp,
    ).replace('Content-Length   : 150', `Content-Length   : ${sdp.length}`),
  },
  {
    // Well-formed; nobody has such a method.
    name: 'intmeth',
    section: '3.1.1.2',
    expect: { refuse: 501 },
    text: lines([
      `${weirdMethod} sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0`,
      "Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
      'To: "BEL:\\\x07 NUL:\\\x00 DEL:\\\x7F" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@example.com>',
      `From: token1~\` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%="${utf8('работающий')}";tag=_token~1'+\`*%!-.`,
      'Call-ID: intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
      `CSeq: 139122385 ${weirdMethod}`,
      'Max-Forwards: 255',
      `extensionHeader-!.%*+_\`'~:${utf8('\ufeff大停電')}`,
    ]),
  },
  {
    name: 'esc01',
    section: '3.1.1.3',
    expect: 'accept',
    text: variant('INVITE', {
      start: 'INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0',
      add: [
        'To: sip:%75se%72@example.com',
        'From: <sip:I%20have%20spaces@example.net>;tag=938',
        'Contact: <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>',
      ],
      body: sdp,
    }),
  },
  {
    name: 'escnull',
    section: '3.1.1.4',
    expect: 'accept',
    text: variant('REGISTER', {
      start: 'REGISTER sip:example.com SIP/2.0',
      add: [
        'To: sip:null-%00-null@example.com',
        'From: sip:null-%00-null@example.com;tag=839923423',
        'Contact: <sip:%00@host5.example.com>',
        'Contact: <sip:%00%00@host5.example.com>',
        'L:0',
      ],
    }),
  },
  {
    name: 'esc02',
    section: '3.1.1.5',
    expect: { refuse: 501 },
    text: variant('RE%47IST%45R', {
      start: 'RE%47IST%45R sip:registrar.example.com SIP/2.0',
      add: ['To: "%Z%45" <sip:resource@example.com>', 'From: "%Z%45" <sip:resource@example.com>;tag=f232jadfj23'],
    }),
  },
  {
    name: 'lwsdisp',
    section: '3.1.1.6',
    expect: 'accept',
    text: variant('OPTIONS', { add: ['From: caller<sip:caller@example.com>;tag=323'] }),
  },
  {
    name: 'longreq',
    section: '3.1.1.7',
    expect: 'accept',
    text: variant('INVITE', {
      drop: ['From'],
      add: [
        `To: "I have a user name of ${longText('extreme', 10)} proportion"<sip:user@example.com:6000;unknownparam1=very${longText('long', 20)}value;longparam${longText('name', 25)}=shortvalue;very${longText('long', 25)}ParameterNameWithNoValue>`,
        `F: sip:a${longText('mazinglylongcaller', 5)}name@example.net;tag=12${longText('982', 50)}424;unknownheaderparam${longText('name', 20)}=unknowheaderparam${longText('value', 15)};unknownValueless${longText('paramname', 10)}`,
        `Call-ID: longreq.one${longText('really', 20)}longcallid`,
        'CSeq: 3882340 INVITE',
        `Unknown-${longText('Long', 20)}-Name: unknown-${longText('long', 20)}-value; unknown-${longText('long', 20)}-parameter-name = unknown-${longText('long', 20)}-parameter-value`,
        ...Array.from({ length: 34 }, (_, at) => `Via: SIP/2.0/TCP sip${33 - at}.example.com`),
        `v: SIP/2.0/TCP  host.example.com;received=192.0.2.5;branch=very${longText('long', 50)}branchvalue`,
        `Contact: <sip:amazingly${longText('long', 20)}callername@host5.example.net>`,
      ],
      body: sdp,
    }),
  },
  {
    name: 'dblreq',
    section: '3.1.1.8',
    expect: 'accept',
    text:
      variant('REGISTER', {
        start: 'REGISTER sip:example.com SIP/2.0',
        add: ['Call-ID: dblreq.0ha0isndaksdj99sdfafnl3lk233412'],
      }) + variant('INVITE', { add: ['Call-ID: dblreq.0ha0isnda977644900765@192.0.2.15'], body: sdp }),
  },
  {
    name: 'semiuri',
    section: '3.1.1.9',
    expect: 'accept',
    text: variant('OPTIONS', { start: 'OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0' }),
  },
  {
    name: 'transports',
    section: '3.1.1.10',
    expect: 'accept',
    text: variant('OPTIONS', {
      add: [
        'Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw',
        'Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf',
        'Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj',
        'Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en',
        'Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee',
      ],
    }),
  },
  {
    name: 'mpart01',
    section: '3.1.1.11',
    expect: 'accept',
    text: variant('MESSAGE', {
      add: ['Content-Type: multipart/mixed;boundary=7a9cbec02ceef655', 'MIME-Version: 1.0'],
      body: '--7a9cbec02ceef655\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\n\r\nHello\r\n--7a9cbec02ceef655\r\nContent-Type: application/octet-stream\r\n\r\n\x30\x82\x01\x52\x06\x09\x00\xff\r\n\r\n\x80\r\n--7a9cbec02ceef655--',
    }),
  },
  {
    name: 'unreason',
    section: '3.1.1.12',
    expect: 'accept',
    text: variant('INVITE', {
      start: `SIP/2.0 200 = 2**3 * 5**2 ${utf8('но сто девяносто девять - простое')}`,
      body: sdp,
    }),
  },
  { name: 'noreason', section: '3.1.1.13', expect: 'accept', text: variant('INVITE', { start: 'SIP/2.0 100 ' }) },

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
