// The messages of RFC 4475 §3.1.1: valid, however strange they look.
import type { Torture } from './torture_lines.ts'
import { lines, longText, sdp, utf8, variant, weirdMethod } from './torture_lines.ts'

export const validTorture: readonly Torture[] = [
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
]
