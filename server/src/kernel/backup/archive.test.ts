// The archive of a backup: what goes in comes out, and what was cut, changed or is for somebody else is refused in words.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { type Closing, type Entry, readArchive, writeArchive } from './archive.ts'
import { newKeyPair, type Opener, openWith, type Seal, sealWith } from './seal.ts'

const closing: Closing = { rows: { leads: 3 }, objects: 1, sequences: { leads_id: { value: '9', isUsed: true } } }
const passphrase = 'correct horse battery staple'
const texts: Record<string, string> = {
  'backup.json': '{}',
  'tables/leads/000001.copy': '1\tAda\n2\tGrace\n3\tJean\n',
  [`objects/0/${'a/'.repeat(100)}recording.wav`]: 'x'.repeat(300_000),
  'objects/0/empty': '',
}

async function* entries(): AsyncGenerator<Entry, Closing> {
  for (const [name, text] of Object.entries(texts)) {
    const content = Buffer.from(text)
    yield { name, size: content.length, content: content.length > 1_000 ? Readable.from([content]) : content }
  }
  return closing
}

async function archiveBy(seal?: Seal): Promise<Buffer> {
  return buffer(await writeArchive(entries(), { seal, atMs: Date.UTC(2026, 0, 1) }))
}

async function read(bytes: Uint8Array, open?: Opener) {
  const reading = readArchive(Readable.from(chunked(bytes), { objectMode: false }), open)
  const found: Record<string, string> = {}
  for (;;) {
    const next = await reading.next()
    if (next.done === true) return { found, manifest: next.value }
    found[next.value.name] = await text(next.value.content)
  }
}

/** As a slow network hands it over. */
function* chunked(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

describe('an archive', () => {
  const plain = archiveBy()
  const sealed = archiveBy(sealWith({ passphrase }))

  test('gives back what went in, plain, by passphrase and by key', async () => {
    const { identity, recipient } = await newKeyPair()
    for (const [bytes, open] of [
      [await plain, undefined],
      [await sealed, openWith({ passphrase })],
      [await archiveBy(sealWith({ recipients: [recipient] })), openWith({ identities: [identity] })],
    ] as const) {
      const { found, manifest } = await read(bytes, open)
      assert.deepEqual(found, texts)
      assert.deepEqual({ ...manifest, sha256: '' }, { ...manifest, ...closing, entries: 4, sha256: '' })
    }
  })

  test('is opened by tar and zstd', { skip: spawnSync('zstd', ['--version']).status !== 0 && 'no zstd' }, async () => {
    const tar = spawnSync('zstd', ['-d', '-c'], { input: await plain })
    const { stdout } = spawnSync('tar', ['-xO', 'tables/leads/000001.copy'], { input: tar.stdout })
    assert.equal(stdout.toString(), texts['tables/leads/000001.copy'])
  })

  test('that was not written whole is refused, wherever it ends', async () => {
    const { identity, recipient } = await newKeyPair()
    for (const [bytes, open] of [
      [await plain, undefined],
      [await archiveBy(sealWith({ recipients: [recipient] })), openWith({ identities: [identity] })],
    ] as const)
      for (const part of [0.3, 0.6, 0.9, 0.999])
        await assert.rejects(
          read(bytes.subarray(0, Math.floor(bytes.length * part)), open),
          /not written whole|damaged|not a backup/,
          `${part} of it`,
        )
  })

  test('of which one byte was changed is refused', async () => {
    const { identity, recipient } = await newKeyPair()
    for (const [right, open] of [
      [await plain, undefined],
      [await archiveBy(sealWith({ recipients: [recipient] })), openWith({ identities: [identity] })],
    ] as const)
      for (let at = 0; at < right.length; at += 31) {
        const bytes = Buffer.from(right)
        bytes[at]! ^= 1
        await assert.rejects(read(bytes, open), Error, `byte ${at}`)
      }
  })

  test('is refused in words by who cannot open it', async () => {
    await assert.rejects(read(await sealed), /the backup is encrypted: name what opens it/)
    await assert.rejects(read(await sealed, openWith({ passphrase: 'something else' })), /passphrase does not open/)
    const { identity } = await newKeyPair()
    await assert.rejects(read(await sealed, openWith({ identities: [identity] })), /private key does not open/)
    await assert.rejects(read(Buffer.from('PK\x03\x04 not at all'.repeat(50))), /not a backup of Tandem/)
    await assert.rejects(read(Buffer.alloc(0)), /not written whole|not a backup/)
    assert.throws(() => sealWith({ passphrase: 'short' }), /has 5 characters; take 12 or more/)
    assert.throws(() => sealWith({ recipients: ['age1nonsense'] }), /no public key of age/)
    assert.throws(() => openWith({ identities: ['nonsense'] }), /no private key of age/)
  })

  test('whose reading fails on the way is no archive', async () => {
    async function* failing(): AsyncGenerator<Entry, Closing> {
      yield { name: 'a', size: 1, content: Buffer.from('a') }
      throw new Error('the database went away')
    }
    const stream = await writeArchive(failing(), { seal: undefined, atMs: 0 })
    await assert.rejects(buffer(stream), /the database went away/)
    async function* short(): AsyncGenerator<Entry, Closing> {
      yield { name: 'a', size: 10, content: Buffer.from('too short') }
      return closing
    }
    await assert.rejects(buffer(await writeArchive(short(), { seal: undefined, atMs: 0 })), /[Ss]ize mismatch/)
  })
})
