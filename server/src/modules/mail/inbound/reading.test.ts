// Mails as bytes: strange and broken ones, what is quoted in them, and that nothing of them is fetched or does harm.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partQuoted } from './quoted.ts'
import { readMail, textOfHtml } from './read_mime.ts'
import { bodyOf, dedupeKey } from './rules.ts'

const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))
const read = (text: string) => readMail(crlf(text))

test('words, names and files in other letters and encodings', async () => {
  const mail = await read(`From: =?ISO-8859-1?Q?J=FCrgen_M=FCller?= <juergen@example.com>
To: "Park, Ada" <ada@example.com>, Team: bob@example.com, eve@example.com;
Subject: =?utf-8?B?w4RuZGVydW5n?= =?utf-8?Q?_der_Bestellung?=
Content-Type: multipart/mixed; boundary="a"
MIME-Version: 1.0

--a
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Sch=F6ne Gr=FC=DFe
--a
Content-Type: application/pdf; name*=UTF-8''%C3%A4nderung.pdf
Content-Disposition: attachment; filename*=UTF-8''..%2F%C3%A4nderung.pdf
Content-Transfer-Encoding: base64

JVBERi0=
--a--
`)
  assert.deepEqual(mail.from, { address: 'juergen@example.com', name: 'Jürgen Müller' })
  assert.deepEqual(
    mail.to.map(({ address }) => address),
    ['ada@example.com', 'bob@example.com', 'eve@example.com'],
  )
  assert.equal(mail.subject, 'Änderung der Bestellung')
  assert.equal(mail.text.trim(), 'Schöne Grüße')
  assert.deepEqual(
    mail.attachments.map(({ fileName, content }) => [fileName, content.toString()]),
    [['.._änderung.pdf', '%PDF-']],
  )
})

test('a mail in a mail is a file or part of the words, never its head', async () => {
  const mail = await read(`From: ada@example.com
Subject: Outer
Content-Type: multipart/mixed; boundary="a"

--a

Outer words.
--a
Content-Type: message/rfc822
Content-Disposition: attachment

From: eve@example.com
Subject: Inner

Inner words.
--a--
`)
  assert.deepEqual([mail.from?.address, mail.subject, mail.attachments.length], ['ada@example.com', 'Outer', 1])
})

for (const [name, text] of [
  ['nothing', ''],
  ['a head without a body', 'From: ada@example.com\n'],
  ['a body without a head', '\n\nWords'],
  ['a boundary that never ends', 'From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nWords'],
  [
    'parts in parts without end',
    `From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n${'--x\nContent-Type: multipart/mixed; boundary=x\n\n'.repeat(400)}`,
  ],
  ['an unknown charset', 'From: a@b.example\nContent-Type: text/plain; charset=nonsense\n\nWords'],
  ['broken base64', 'From: a@b.example\nContent-Transfer-Encoding: base64\n\n!!!=A=B=='],
  ['NUL and halves of characters', 'From: a@b.example\nSubject: x\0y\n\nWords\0 =?utf-8?Q?=ED=A0=80?='],
  ['ten thousand recipients', `From: a@b.example\nTo: ${'x@y.example, '.repeat(10_000)}\n\nWords`],
  ['a line of a million letters', `From: a@b.example\nSubject: ${'x'.repeat(1_000_000)}\n\n${'y'.repeat(1_000_000)}`],
  ['HTML that is never closed', `From: a@b.example\nContent-Type: text/html\n\n${'<a '.repeat(200_000)}`],
  ['ten thousand Message-IDs', `From: a@b.example\nReferences: ${'<a@b> '.repeat(10_000)}\n\nWords`],
] as const)
  test(`strange: ${name}`, async () => {
    const startMs = performance.now()
    const mail = await read(text)
    assert.ok(performance.now() - startMs < 5_000, 'it took long')
    const all = JSON.stringify({ ...mail, attachments: mail.attachments.map(({ fileName }) => fileName) })
    assert.ok(!all.includes('\\u0000') && all.isWellFormed(), 'a database could not hold it')
    assert.ok(mail.to.length <= 200 && mail.subject.length <= 998 && mail.answeredIds.length <= 50)
    partQuoted(mail.text)
  })

test('Message-IDs that no index could hold, and what no text can, are left out', async () => {
  const head = (id: string) =>
    `From: a@b.example\nMessage-ID: =?utf-8?B?${Buffer.from(id).toString('base64')}?=\n\nWords`
  assert.equal((await read(head(`<${'漢'.repeat(400)}@x.example>`))).messageId, null)
  assert.equal((await read(head(`<${'x'.repeat(880)}@x.example>`))).messageId?.length, 890)
  assert.equal((await read('From: a@b.example\nMessage-ID: <\0>\n\nWords')).messageId, null)
})

test('a thousand mutated mails are read without harm, and nothing is fetched', async () => {
  const whole = crlf(`From: Ada <ada@example.com>
To: office@example.com
Subject: =?utf-8?Q?Hi?=
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset=utf-8

Words http://127.0.0.1:1/x
--a
Content-Type: text/html

<img src="http://127.0.0.1:1/pixel"><link rel=stylesheet href="http://127.0.0.1:1/"><p>Words</p>
--a--
`)
  const { fetch } = globalThis
  globalThis.fetch = () => assert.fail('something was fetched')
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 24 }),
        fc.nat(whole.length),
        async (changes, end) => {
          const bytes = Buffer.from(whole.subarray(0, end))
          for (const [at, byte] of changes) if (at < end) bytes[at] = byte
          const mail = await readMail(bytes)
          assert.ok(mail.text.isWellFormed() && !mail.text.includes('\0'))
          assert.equal(
            typeof dedupeKey({ messageId: null, date: '', from: '', body: bodyOf(bytes) }, '').length,
            'number',
          )
        },
      ),
      { numRuns: 1_000 },
    )
  } finally {
    globalThis.fetch = fetch
  }
})

test('HTML becomes words', () => {
  assert.equal(
    textOfHtml('<style>p{}</style><p>Dear Ada,</p><p>a &lt; b &amp;&nbsp;c<br>d</p><script>x</script>'),
    'Dear Ada,\n\na < b & c\nd',
  )
})

for (const [name, text, written] of [
  ['English', 'Yes.\n\nOn Mon, 23 Nov 2026 at 10:00, Example <office@example.com> wrote:\n> Monday?\n> Bob', 'Yes.'],
  ['over two lines', 'Yes.\n\nOn Mon, 23 Nov 2026 at 10:00, Example\n<office@example.com> wrote:\n\n> Monday?', 'Yes.'],
  ['German', 'Ja.\n\nAm 23.11.2026 um 10:00 schrieb Example:\n> Montag?', 'Ja.'],
  ['Outlook', 'Yes.\n\nFrom: Example <office@example.com>\nSent: Monday\nTo: Ada\nSubject: Hi\n\nMonday?', 'Yes.'],
  ['a forwarded mail', 'See below.\n\n-----Original Message-----\nMonday?', 'See below.'],
  ['quotes alone', '> Monday?', '> Monday?'],
  ['an answer below', '> Monday?\nYes.', '> Monday?\nYes.'],
  ['quotes between', '> Monday?\nYes.\n> Tuesday?\nNo.\n\n> Rest', '> Monday?\nYes.\n> Tuesday?\nNo.'],
  ['no quotes', 'On Monday I wrote: nothing.', 'On Monday I wrote: nothing.'],
] as const)
  test(`quoted at the end: ${name}`, () => {
    const parted = partQuoted(text)
    assert.equal(parted.written, written)
    assert.equal(parted.quoted === null, written === text)
  })
