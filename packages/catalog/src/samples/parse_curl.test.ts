// Commands as people paste them: from docs, from browsers in three shells, with options in every spelling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCurl } from './parse_curl.ts'

const url = 'https://api.example.com/v2/messages/sms'
const json = ['Content-Type', 'application/json'] as [string, string]
const form = ['Content-Type', 'application/x-www-form-urlencoded'] as [string, string]

function read(command: string) {
  const request = parseCurl(command)
  assert.ok(!('error' in request), 'error' in request ? request.error : '')
  return request
}

test('the plainest commands', () => {
  assert.deepEqual(read(`curl ${url}`), { method: 'GET', url, headers: [] })
  assert.deepEqual(read(`$ curl -sS -L "${url}" | jq .`), { method: 'GET', url, headers: [] })
  assert.deepEqual(read('curl localhost:3000/v2/messages'), {
    method: 'GET',
    url: 'http://localhost:3000/v2/messages',
    headers: [],
  })
  assert.deepEqual(read(`curl ${url}?a=1&b=2`).url, `${url}?a=1&b=2`)
  assert.deepEqual(read(`  FOO=1 /usr/bin/curl --url=${url}  `).url, url)
  assert.equal(read(`curl -I ${url}`).method, 'HEAD')
})

test('methods, headers and bodies in every spelling', () => {
  for (const method of ['-X PATCH', '-XPATCH', '--request PATCH', '--request=PATCH', '-sX PATCH', '-sSLXPATCH']) {
    assert.equal(read(`curl ${method} ${url}`).method, 'PATCH', method)
  }
  for (const header of ["-H 'A: b'", '-HA:b', '--header "A:   b"', "--header='A: b'", '-kH "A: b"']) {
    assert.deepEqual(read(`curl ${header} ${url}`).headers, [['A', 'b']], header)
  }
  for (const data of ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii']) {
    const expected = { method: 'POST', url, headers: [form], body: 'a=1' }
    assert.deepEqual(read(`curl ${url} ${data} 'a=1'`), expected, data)
  }
  assert.deepEqual(read(`curl -d a=1 -d b=2 ${url}`).body, 'a=1&b=2')
  assert.deepEqual(read(`curl --data-raw '@not a file' ${url}`).body, '@not a file')
  assert.deepEqual(read(`curl -H 'Empty;' -H 'Accept:' ${url}`).headers, [['Empty', '']])
  assert.deepEqual(read(`curl -H 'Content-Type:' -d x ${url}`).headers, [])
  assert.deepEqual(read(`curl -H 'content-type: text/plain' -d x ${url}`).headers, [['content-type', 'text/plain']])
})

test('--json, -u, -G, --data-urlencode and the other options that make headers', () => {
  assert.deepEqual(read(`curl --json '{"a":1}' ${url}`), {
    method: 'POST',
    url,
    headers: [json, ['Accept', 'application/json']],
    body: '{"a":1}',
  })
  assert.deepEqual(read(`curl -u 'ada:päss' ${url}`).headers, [['Authorization', 'Basic YWRhOnDDpHNz']])
  assert.deepEqual(read(`curl --oauth2-bearer t ${url}`).headers, [['Authorization', 'Bearer t']])
  assert.deepEqual(read(`curl -A me -e http://x -b 'a=1; b=2' ${url}`).headers, [
    ['User-Agent', 'me'],
    ['Referer', 'http://x'],
    ['Cookie', 'a=1; b=2'],
  ])
  const query = read(`curl -G ${url}?x=1#top -d a=1 --data-urlencode 'b=ä &' --data-urlencode 'c d'`)
  assert.deepEqual(query, { method: 'GET', url: `${url}?x=1&a=1&b=%C3%A4%20%26&c%20d#top`, headers: [] })
})

test('quotes of bash', () => {
  const body = (word: string) => read(`curl ${url} --data-raw ${word}`).body
  assert.equal(body(`'it'\\''s'`), "it's")
  assert.equal(body(`"a \\"b\\" \\$c \\\\ \\d $HOME"`), 'a "b" $c \\ \\d $HOME')
  assert.equal(body(`$'\\u0021 \\x41\\xc3\\xa4 \\n\\t\\'\\\\ \\303\\244 \\U1F986'`), "! Aä \n\t'\\ ä 🦆")
  assert.equal(body(`a\\ b'c'"d"`), 'a bcd')
  assert.equal(body(`'line one\nline two'`), 'line one\nline two')
  assert.equal(body(`'#' # a comment`), '#')
  assert.equal(read(`curl \\\n  -X POST \\\r\n  ${url}`).method, 'POST')
  assert.equal(read(`curl ${url}\n  -X POST\n  -H 'A: b'\n\necho done`).method, 'POST')
})

test('as browsers copy it for cmd.exe, new and old', () => {
  const command = [
    `curl ^"${url}^?a=1^&b=^%^20^" ^`,
    '  -H ^"accept: application/json^" ^',
    '  -H ^"content-type: application/json^" ^',
    '  --data-raw ^"^{^\\^"body^\\^":^\\^"50^% off ^^ here^\\^",^',
    '',
    '^\\^"n^\\^":1^}^"',
  ].join('\r\n')
  assert.deepEqual(read(command), {
    method: 'POST',
    url: `${url}?a=1&b=%20`,
    headers: [
      ['accept', 'application/json'],
      ['content-type', 'application/json'],
    ],
    body: '{"body":"50% off ^ here",\n"n":1}',
  })
  assert.deepEqual(read(`curl "${url}" ^\r\n  -H "A: b" ^\r\n  --data-raw "{""a"":""C:\\x\\\\""}"`), {
    method: 'POST',
    url,
    headers: [['A', 'b'], form],
    body: '{"a":"C:\\x\\"}',
  })
})

test('PowerShell with backticks', () => {
  const command = `curl.exe -X POST "${url}" \`\r\n  -H 'A: it''s' \`\r\n  --data-raw "{\`"a\`": \`"\`$1\`"}"`
  assert.deepEqual(read(command), { method: 'POST', url, headers: [['A', "it's"], form], body: '{"a": "$1"}' })
})

test('what cannot be sent is refused with the reason', () => {
  const refused: [command: string, reason: RegExp][] = [
    ['', /not a cURL command/],
    ['wget http://x', /not a cURL command/],
    ['echo curl http://x', /not a cURL command/],
    ['Invoke-WebRequest http://x', /PowerShell/],
    ['curl', /no address/],
    ['curl -X', /lacks its value/],
    ['curl http://a http://b', /two addresses/],
    [`curl -F a=b ${url}`, /multipart/],
    [`curl --form a=b ${url}`, /multipart/],
    [`curl -d @body.json ${url}`, /file body\.json/],
    [`curl --data-binary @- ${url}`, /file -/],
    [`curl -T file ${url}`, /file/],
    [`curl -K file ${url}`, /file/],
    [`curl -b cookies.txt ${url}`, /cookies/],
    [`curl -H @headers ${url}`, /file/],
    [`curl -H 'no colon' ${url}`, /form "Name: value"/],
    [`curl --frobnicate ${url}`, /--frobnicate is not known/],
    [`curl --constructor ${url}`, /--constructor is not known/],
    [`curl 'http://x`, /single quote/],
    [`curl "http://x`, /double quote/],
    [`curl $'http://x`, /not closed/],
  ]
  for (const [command, reason] of refused) {
    const answer = parseCurl(command)
    assert.ok('error' in answer, command)
    assert.match(answer.error, reason, command)
  }
})

test('no text whatever breaks it', () => {
  const parts = [
    'curl ',
    "'",
    '"',
    '\\',
    '^',
    '`',
    '\n',
    '$',
    "$'",
    '-',
    '-X',
    '-d',
    ' @',
    ':',
    'http://x',
    '|',
    '&',
    '^"',
  ]
  let seed = 1
  for (let round = 0; round < 3000; round++) {
    let text = 'curl '
    for (let count = 0; count < 8; count++) {
      seed = (seed * 48271) % 2147483647
      text += parts[seed % parts.length]
    }
    const answer = parseCurl(text)
    assert.ok('error' in answer ? answer.error.length > 0 : answer.url.length > 0, text)
  }
})
