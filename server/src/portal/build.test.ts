// When the portal is built and when not: only for a change of what goes into it, by one process at a time, and never so
// that a broken or half-done build takes the place of a good one. The last test builds the real portal.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type PortalFolders, portalFolders, preparePortal } from './build.ts'
import { readBundle } from './pages.ts'

const never = new AbortController().signal

type Fixture = { folders: PortalFolders; put(file: string, text: string): void; builds(): number; page(): string }

/** A checkout whose build copies its source into a page, a little late, and notes that it ran. */
function fixture(context: TestContext, { late = 0 } = {}): Fixture {
  const root = mkdtempSync(join(tmpdir(), 'tandem-build-'))
  context.after(() => rmSync(root, { recursive: true }))
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  put('portal/src/page.txt', 'one')
  put('lock.json', '{}')
  put(
    'portal/vite/build.ts',
    `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
     const [, , out] = process.argv
     appendFileSync(${JSON.stringify(join(root, 'builds'))}, 'x')
     const text: string = readFileSync(${JSON.stringify(join(root, 'portal/src/page.txt'))}, 'utf8')
     mkdirSync(out!, { recursive: true })
     writeFileSync(out + '/index.html', 'half')
     await new Promise(resolve => setTimeout(resolve, ${late}))
     if (text === 'broken') { console.error('page.txt is broken'); process.exit(3) }
     writeFileSync(out + '/index.html', text + ' __CSP_NONCE__')`,
  )
  return {
    folders: { root, inputs: ['portal', 'lock.json', 'absent'], script: 'portal/vite/build.ts', dist: 'portal/dist' },
    put,
    builds: () => (existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds'), 'utf8').length : 0),
    page: () => readFileSync(join(root, 'portal/dist/index.html'), 'utf8'),
  }
}

test('builds at first and for every change of a source, else not', async t => {
  const { folders, put, builds, page } = fixture(t)
  const prepare = () => preparePortal(folders, never)
  assert.ok((await prepare()).builtMs! > 0)
  assert.equal(page(), 'one __CSP_NONCE__')
  assert.deepEqual(await prepare(), { folder: join(folders.root, 'portal/dist'), builtMs: undefined })
  for (const [file, text] of [
    ['portal/src/page.txt', 'two'],
    ['portal/src/deep/er.ts', ''],
    ['portal/src/deep/err.ts', ''],
    ['lock.json', '{"a":1}'],
    ['absent', 'no more'],
  ] as const) {
    put(file, text)
    assert.notEqual((await prepare()).builtMs, undefined, file)
    assert.equal((await prepare()).builtMs, undefined, file)
  }
  assert.equal(page(), 'two __CSP_NONCE__')
  rmSync(join(folders.root, 'portal/src/deep/er.ts'))
  assert.notEqual((await prepare()).builtMs, undefined, 'a source that is gone')
  const count = builds()
  for (const file of ['portal/test/a.ts', 'portal/src/a.test.ts', 'portal/src/b.test.tsx', 'portal/.hidden', 'other']) {
    put(file, 'x')
    assert.equal((await prepare()).builtMs, undefined, file)
  }
  assert.equal(builds(), count)
})

test('a build that fails says why and leaves the old one; mended, it is built', async t => {
  const { folders, put, page } = fixture(t)
  await preparePortal(folders, never)
  put('portal/src/page.txt', 'broken')
  for (let n = 0; n < 2; n++) await assert.rejects(preparePortal(folders, never), /ended with 3:\npage\.txt is broken$/)
  assert.equal(page(), 'one __CSP_NONCE__')
  put('portal/src/page.txt', 'mended')
  await preparePortal(folders, never)
  assert.equal(page(), 'mended __CSP_NONCE__')
  assert.deepEqual(readdirSync(join(folders.root, 'portal/.build')), ['lock'], 'nothing is left lying about')
})

test('of several at once one builds and the others wait for it', async t => {
  const { folders, builds, page } = fixture(t, { late: 300 })
  const made = await Promise.all([1, 2, 3].map(() => preparePortal(folders, never)))
  assert.equal(builds(), 1)
  assert.equal(made.filter(({ builtMs }) => builtMs !== undefined).length, 1)
  assert.equal(page(), 'one __CSP_NONCE__')
})

test('can be given up: the build ends, and the next one is whole', async t => {
  const { folders, builds, page } = fixture(t, { late: 600 })
  const giveUp = new AbortController()
  const building = preparePortal(folders, giveUp.signal)
  const waiting = preparePortal(folders, giveUp.signal)
  while (builds() === 0) await sleep(10)
  giveUp.abort()
  await assert.rejects(building, /abort/i)
  await assert.rejects(waiting, /abort/i)
  await sleep(800)
  assert.ok(!existsSync(join(folders.root, 'portal/dist')), 'what was given up does not appear later')
  await preparePortal(folders, never)
  assert.equal(page(), 'one __CSP_NONCE__')
})

test('without sources what was given is used; with nothing at all it says so', async t => {
  const { folders, put } = fixture(t)
  rmSync(join(folders.root, 'portal'), { recursive: true })
  await assert.rejects(preparePortal(folders, never), /neither a built portal .* nor what it is built from/)
  put('portal/dist/index.html', 'given')
  assert.equal((await preparePortal(folders, never)).builtMs, undefined)
  assert.ok(!existsSync(join(folders.root, 'portal/.build')), 'a folder that may be read-only is not written to')
})

test('the real portal builds, fits the policy of its page, and is packed', async t => {
  // The one that all tests of the portal use: built now where it is not what the sources say.
  const { folder: built, builtMs } = await preparePortal(portalFolders, never)
  t.diagnostic(builtMs === undefined ? 'was built before' : `built in ${Math.round(builtMs)} ms`)
  const { page, files } = readBundle(built)
  const html = page.join('N0NCE')
  for (const tag of html.match(/<(script|style)\b[^>]*>/g) ?? assert.fail('no script'))
    assert.match(tag, /nonce="N0NCE"/)
  assert.ok(!/\sstyle="|\son[a-z]+="|javascript:/i.test(html), 'the policy takes no inline styles or handlers')
  for (const [, address] of html.matchAll(/\b(?:src|href)="([^"]*)"/g))
    assert.ok(files.has(address!), `${address} is not built`)
  for (const [path, { body, encoded }] of files) {
    if (encoded.br !== undefined) assert.deepEqual(brotliDecompressSync(encoded.br), body, path)
    if (encoded.gzip !== undefined) assert.deepEqual(gunzipSync(encoded.gzip), body, path)
    if (/\.(js|css)$/.test(path) && body.length > 4_096) assert.ok(encoded.br!.length < body.length / 2, path)
  }
  assert.ok(!readFileSync(globSync(join(built, '_built/index-*.js'))[0]!, 'utf8').includes('jsxDEV'), 'for production')
})
