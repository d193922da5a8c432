// Lists of passwords that became known: imported in whatever order and kind, looked up at every new password, and at no login.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn, ownPassword, somebody, tokenMailed } from '../../../../test/people.ts'
import { headOf, openKnownPasswords } from './known_passwords.ts'
import { importKnownPasswords, ListFault } from './known_passwords_import.ts'
import { passwordsCommand } from './passwords_command.ts'

const folder = mkdtempSync(join(tmpdir(), 'known-passwords-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const errors: object[] = []
const path = join(folder, 'known_passwords')
const known = openKnownPasswords(path, { error: (what: object) => void errors.push(what) })
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const listOf = (name: string, lines: readonly string[], end = '\n') => {
  const list = join(folder, name)
  writeFileSync(list, lines.map(line => `${line}${end}`).join(''))
  return list
}
/** More than one part, and both ends of the order. */
const words = (n: number) => Array.from({ length: n }, (_, index) => `a passphrase of number ${index}`)

describe('without any import', () => {
  test('the most used passwords that are long enough are refused, those of fifteen characters too', async () => {
    const none = openKnownPasswords(join(folder, 'none'), { error: (what: object) => void errors.push(what) })
    const file = join(import.meta.dirname, 'common_passwords.bin')
    // ASVS 5.0 wants the first 3,000 of each length that may be chosen: they are a part of those that the file is made of.
    assert.equal((await headOf(file))?.count, 14_734)
    for (const password of ['4815162342', 'manchester', 'harrypotter', 'gfhjkmgfhjkm', 'pianoforte', 'porsche944'])
      assert.ok(await none.has(password), password)
    for (const password of ['momsanaladventure', '123456789987654321', 'zcthelfqntgfgthe', 'zcnjvfnjkju2011'])
      assert.ok(await none.has(password), password)
    for (const password of ['correct horse battery staple', 'short', ''])
      assert.ok(!(await none.has(password)), password)
    assert.deepEqual(errors, [])
  })
})

describe('an import', () => {
  test('takes hashes as HIBP has them, and passwords in clear, in any order, each once', async () => {
    const hashes = listOf(
      'hashes.txt',
      words(3_000)
        .map(word => `${sha1(word)}:${word.length}`)
        .sort(),
      '\r\n',
    )
    const plain = listOf('plain.txt', ['short', '', 'Grüße aus Übersee', 'a passphrase of number 7', 'x'.repeat(128)])
    assert.deepEqual(importKnownPasswords([hashes, plain], path), { read: 3_005, skipped: 2, kept: 3_002 })
    for (const word of words(3_000)) assert.ok(await known.has(word), word)
    // However a keyboard composed it.
    assert.ok(await known.has('Grüße aus Übersee'.normalize('NFD')))
    for (const word of ['short', 'a passphrase of number 3000', 'a passphrase of number'])
      assert.equal(await known.has(word), false, word)
    assert.deepEqual(errors, [])
    assert.deepEqual(readdirSync(folder).sort(), ['hashes.txt', 'known_passwords', 'plain.txt'])
  })

  test('finds all and nothing else in parts of each size, at both ends of the order', async () => {
    const edges = ['0'.repeat(40), 'F'.repeat(40), `${'0'.repeat(11)}1${'0'.repeat(28)}`]
    const many = Array.from({ length: 20_000 }, () => randomBytes(20).toString('hex'))
    importKnownPasswords([listOf('many.txt', [...many, ...edges, sha1('seven brass lanterns drift')])], path)
    assert.deepEqual(await headOf(path), { count: 20_004, partBytes: 2 })
    assert.ok(await known.has('seven brass lanterns drift'))
    assert.equal((await Promise.all(words(200).map(word => known.has(word)))).filter(Boolean).length, 0)
    // The index of 256 KiB, four bytes for each.
    assert.ok(statSync(path).size < 400_000)
  })

  test('that goes wrong says where, and leaves the list as it was', async () => {
    importKnownPasswords([listOf('one.txt', ['seven brass lanterns drift'])], path)
    const wrong: [string, readonly string[], RegExp][] = [
      ['ntlm.txt', [`${'0'.repeat(32)}:12`], /NTLM/],
      ['cut.txt', [sha1('one'), sha1('two').slice(0, 39)], /line 2 is no SHA-1/],
      ['packed.txt', ['PK\0\0'], /unpack it first/],
      ['one_line.txt', ['x'.repeat(100_000)], /one password or hash a line/],
    ]
    for (const [name, lines, message] of wrong)
      assert.throws(() => importKnownPasswords([listOf(name, lines)], path), { message }, name)
    assert.throws(() => importKnownPasswords([listOf('cut.txt', [sha1('one'), 'x'])], path), ListFault)
    assert.ok(await known.has('seven brass lanterns drift'))
  })

  test('by the command line says what came of it', async () => {
    const said: string[] = []
    const output = { print: (text: string) => void said.push(text), complain: (text: string) => void said.push(text) }
    const run = async (...args: string[]) => [await passwordsCommand(folder, args, output), said.splice(0).join('\n')]
    const list = listOf('two.txt', ['seven brass lanterns drift', 'nine', 'eight copper lanterns sway'])
    const [code, text] = await run('import', list)
    assert.equal(code, 0)
    assert.match(String(text), /3 lines read, 1 of them .* too short.*\n2 known passwords are refused/)
    assert.match(String((await run('status'))[1]), /^2 known passwords/)
    assert.deepEqual([(await run('import', join(folder, 'nowhere')))[0], (await run('import'))[0]], [1, 2])
    assert.match(String((await run('remove'))[1]), /is not there/)
    assert.equal(await known.has('seven brass lanterns drift'), false)
    assert.match(String((await run('--help'))[1]), /^Usage/)
  })

  test('whose file was damaged keeps nobody out, and is in the log', async () => {
    for (const bytes of ['', 'something else entirely', 'TDMPWD01\0\0\0\0\0\0\x01\0']) {
      writeFileSync(path, bytes)
      assert.equal(await known.has('seven brass lanterns drift'), false)
    }
    assert.equal(errors.length, 3)
    rmSync(path)
  })
})

describe('a new password', () => {
  let t: TestApp
  const dataDir = join(folder, 'data')
  const leaked = 'seven brass lanterns drift'
  before(async () => {
    mkdirSync(dataDir)
    t = await startTestApp({ env: { TANDEM_DATA: dataDir } })
  })
  after(() => t?.close())

  test('that is in a list is refused wherever one is chosen; one that stands goes on', async () => {
    const { as, email, userId } = await somebody(t)
    const admin = t.main.tokens.Admin
    const invited = { email: 'leaked@example.com', role: 'Sales Manager' }
    assert.equal((await t.call('POST', '/v2/invitations', { as: admin, body: invited })).status, 201)
    const token = await tokenMailed(t, invited.email)
    const made = importKnownPasswords([listOf('leaked.txt', [leaked, ownPassword])], join(dataDir, 'known_passwords'))
    assert.equal(made.kept, 2)
    const name = 'Grace Hopper'
    const tries = [
      await t.call('POST', '/v2/users/me/password', {
        as,
        body: { currentPassword: ownPassword, newPassword: leaked },
      }),
      await t.call('PATCH', `/v1/api/users/${userId}`, { as: admin, body: { password: leaked } }),
      await t.call('POST', '/v1/api/users', {
        as: admin,
        body: { email: 'new@example.com', name, role: 'Sales Manager', password: leaked },
      }),
      await t.call('POST', '/v2/auth/invitations/accept', { body: { token, name, password: leaked } }),
    ]
    for (const { status, text, json } of tries) {
      const { code, message, details } = typeof json.error === 'object' ? json.error : json
      assert.deepEqual([status, code, details?.[0]?.code], [422, 'weak_password', 'known'], text)
      assert.match(message, /is in a list of passwords that became known\. Choose another/)
    }
    assert.ok((await logIn(t, email)).accessToken, 'an old one still logs in')
  })
})
