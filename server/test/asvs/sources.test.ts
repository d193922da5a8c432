// What ASVS 5.0 asks of the code as a whole, read from the sources: no code made of text, no shell, TLS that is not lowered, only the
// cryptography that docs/security.md lists, and nothing guessable where it says that it cannot be guessed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_MIN_VERSION } from 'node:tls'
import { hashPassword } from '../../src/modules/identity/login/password.ts'
import { isTest, root, sources, textOf } from '../sources.ts'

const product = sources.filter(
  file => /^(server\/src|packages\/(sip|smpp|catalog)\/src|portal\/src|sdk\/src)\//.test(file) && !isTest(file),
)
const served = product.filter(file => !file.startsWith('portal/') && !file.startsWith('sdk/'))

/** Each place in the sources where a pattern stands, as `file: text`. */
function found(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap(file => [...(textOf.get(file) ?? '').matchAll(pattern)].map(([text]) => `${file}: ${text}`))
}

test('no text becomes code, and no program is run by a shell', () => {
  assert.ok(product.length > 1_000, `${product.length} files`)
  // It asks V8 for its garbage collector, by a text that is always the same.
  const isGarbageCollector = (place: string) => place.startsWith('server/src/kernel/observe/idle_memory.ts: ')
  const places = found(product, /(?<![\w.'`])eval\(|new Function\(|from 'node:vm'|setTimeout\(['"`]/g)
  assert.deepEqual(
    places.filter(place => !isGarbageCollector(place)),
    [],
  )
  assert.deepEqual(found(served, /\b(?:execSync|spawnSync)\(|(?<![\w.])exec\(|shell: ?true/g), [])
})

test('no part of the server reads XML, LDAP, XPath or a format that makes objects of any type', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const readers =
    /xml|xslt|xpath|saml|soap|ldap|latex|memcache|yaml|serialize(?!r)|msgpack|bson|graphql|^ws$|unzip|yauzl|jszip/
  assert.deepEqual(
    Object.keys(dependencies).filter(name => readers.test(name) && name !== 'fast-json-stringify'),
    [],
  )
  assert.deepEqual(found(served, /(?<!un)\bdeserialize\(|DOMParser/g), [])
})

test('TLS begins with 1.2 wherever we speak or answer it, and certificates are checked unless a setting says otherwise', () => {
  assert.equal(DEFAULT_MIN_VERSION, 'TLSv1.2')
  assert.deepEqual(found(served, /minVersion: '[^']+'|secureProtocol:|SECLEVEL|NODE_TLS_REJECT_UNAUTHORIZED/g), [
    "packages/sip/src/transport/tls.ts: minVersion: 'TLSv1.2'",
  ])
  assert.deepEqual(found(served, /rejectUnauthorized: .*/g).sort(), [
    "packages/sip/src/transport/tls.ts: rejectUnauthorized: clients === 'required',",
    'packages/sip/src/transport/tls.ts: rejectUnauthorized: verify && fingerprints === undefined,',
    'server/src/carriers/smpp/dial.ts: rejectUnauthorized: tlsVerify,',
    'server/src/carriers/smpp/link.ts: rejectUnauthorized: tlsVerify,',
  ])
})

const security = readFileSync(join(root, 'docs/security.md'), 'utf8')

test('every algorithm that is used stands in the inventory of docs/security.md', () => {
  const inventory = /## Cryptography\n([\s\S]*?)\n## /.exec(security)?.[1] ?? assert.fail('no inventory')
  const used = new Set<string>()
  const names =
    /(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync|generateKeyPair\w*|generate)\(\s*'([\w-]+)'|'(ES256|EdDSA|RS256|PS256|HS256|AES_CM_128_HMAC_SHA1_80)'|(argon2id)/g
  for (const file of served)
    for (const [, a, b, c] of (textOf.get(file) ?? '').matchAll(names)) used.add((a ?? b ?? c) as string)
  assert.ok(used.size > 6, [...used].join())
  for (const name of used) assert.ok(inventory.includes(`\`${name}\``), `the inventory lacks ${name}`)
})

test('MD5 and SHA-1 stand only where a protocol of others asks for them', () => {
  const where = (pattern: RegExp) => [...new Set(found(served, pattern).map(place => place.split(': ')[0]))].sort()
  assert.deepEqual(where(/'md5'/g), [
    'packages/sip/src/digest.ts',
    'server/src/modules/voice/sip_credentials/stored_digests.ts',
  ])
  assert.deepEqual(where(/create(?:Hash|Hmac)\('sha1'/g), [
    'packages/sip/src/rtp/srtp.ts',
    'server/src/modules/identity/factors/totp.ts',
    'server/src/modules/identity/login/known_passwords.ts',
    'server/src/modules/voice/clients/ice.ts',
  ])
})

/** A wait between two tries of a link is spread by it where nobody hands in another source. */
test('what must not be guessed is drawn by the system, with 128 bits and more', () => {
  assert.deepEqual(
    found(served, /Math\.random\b/g).map(place => place.split(': ')[0]),
    ['packages/smpp/src/esme.ts'],
  )
  /** Names of processes and connections, and the spread of a wait: nobody gains anything by guessing them. */
  const namesOnly = /messaging\/carriers\/|engines\/trunks\/held\.ts|carriers\/smpp\/carrier\.ts/
  const short = found(served, /randomToken\((\d+)\)/g).filter(place => Number(/\((\d+)\)$/.exec(place)?.[1]) < 16)
  assert.deepEqual(
    short.filter(place => !namesOnly.test(place)),
    [],
  )
})

test('fields of passwords are masked, known to password managers, and take what is pasted', () => {
  const screens = product.filter(file => file.startsWith('portal/src/') && file.endsWith('.tsx'))
  const fields = screens.flatMap(file =>
    [...(textOf.get(file) ?? '').matchAll(/<(?:TextField|input)\b(?:[^>]|=>)*?\/>/g)].map(
      ([text]) => `${file}: ${text}`,
    ),
  )
  const passwords = fields.filter(text => /autoComplete=[^\n]*(?:current|new)-password/.test(text))
  assert.ok(passwords.length >= 10, `${passwords.length} fields`)
  for (const text of passwords) {
    assert.match(text, /type=(?:"password"|\{asksCode \? 'text' : 'password'\})/)
    assert.doesNotMatch(text, /onPaste|onCopy|readOnly/)
  }
})

test('there are no hints of passwords and no questions that stand for them', () => {
  const document = readFileSync(join(root, 'docs/openapi.json'), 'utf8')
  assert.doesNotMatch(document, /"\w*(?:passwordHint|password_hint|securityQuestion|secretQuestion|secretAnswer)\w*"/i)
})

test('passwords are hashed by argon2id at what OWASP asks, each with a salt of its own', async () => {
  const hashes = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  for (const hash of hashes) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/)
  assert.notEqual(hashes[0], hashes[1])
})
