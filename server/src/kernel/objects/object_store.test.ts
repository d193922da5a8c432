// Guards: every kind of store keeps the same promises, held to them by one list; the folder on disk against what a disk can do,
// S3 against a server that checks every signature and misbehaves, and against a real MinIO where one is installed.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch as undiciFetch } from 'undici'
import { closedPort, freePort } from '../../../../scripts/testing/free_port.ts'
import { type FakeS3, startFakeS3 } from '../../../test/s3.ts'
import { systemClock } from '../values/clock.ts'
import { isObjectKey, isObjectMissing, parseS3Address, s3AddressText } from '../values/object_key.ts'
import type { ObjectStore } from './object_store.ts'
import { createDiskStore } from './object_store_disk.ts'
import { createS3Store } from './object_store_s3.ts'
import { openObjectStores } from './open_object_stores.ts'
import { baseOf } from './s3_request.ts'

const root = mkdtempSync(join(tmpdir(), 'tandem-objects-'))
after(() => rmSync(root, { recursive: true, force: true }))

async function* inPieces(bytes: Buffer, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function contentOf(store: ObjectStore, key: string, range?: { from: number; to: number }): Promise<Buffer> {
  return Buffer.concat(await (await store.read(key, range)).toArray())
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What every store must do. */
function promises(open: () => ObjectStore): void {
  test('what was put is read, whole and in part, with its length and hash', async () => {
    const store = open()
    const bytes = randomBytes(100_000)
    assert.deepEqual(await store.put('7/2026-11/ab/one.wav', inPieces(bytes, 333)), {
      size: bytes.length,
      sha256: sha256(bytes),
    })
    assert.ok(bytes.equals(await contentOf(store, '7/2026-11/ab/one.wav')))
    assert.equal(await store.size('7/2026-11/ab/one.wav'), bytes.length)
    for (const [from, to] of [
      [0, 0],
      [10, 20],
      [99_990, 99_999],
      [0, 99_999],
    ] as const)
      assert.ok(bytes.subarray(from, to + 1).equals(await contentOf(store, '7/2026-11/ab/one.wav', { from, to })))
  })

  test('a file is put by its path; putting again replaces; nothing at all is an object too', async () => {
    const store = open()
    const file = join(root, 'source')
    writeFileSync(file, 'first')
    await store.put('again', file)
    assert.equal(String(await contentOf(store, 'again')), 'first')
    await store.put('again', inPieces(Buffer.from('the second'), 4))
    assert.equal(String(await contentOf(store, 'again')), 'the second')
    assert.deepEqual(await store.put('empty', inPieces(Buffer.alloc(0), 1)), {
      size: 0,
      sha256: sha256(Buffer.alloc(0)),
    })
    assert.equal(await store.size('empty'), 0)
  })

  test('more than a part goes up whole and comes back the same', async () => {
    const store = open()
    for (const size of [8 * 1024 * 1024 - 1, 8 * 1024 * 1024, 17 * 1024 * 1024 + 5]) {
      const bytes = randomBytes(size)
      assert.deepEqual(await store.put('large', inPieces(bytes, 1_000_003)), { size, sha256: sha256(bytes) })
      assert.equal(await store.size('large'), size)
      assert.ok(bytes.equals(await contentOf(store, 'large')), String(size))
    }
  })

  test('a source that fails leaves what was there', async () => {
    const store = open()
    await store.put('kept', inPieces(Buffer.from('kept'), 4))
    for (const size of [3, 9 * 1024 * 1024]) {
      async function* broken() {
        yield Buffer.alloc(size)
        throw new Error('the source broke')
      }
      await assert.rejects(store.put('kept', broken()), /the source broke/)
    }
    await assert.rejects(store.put('kept', join(root, 'no such file')), { code: 'ENOENT' })
    assert.equal(String(await contentOf(store, 'kept')), 'kept')
  })

  test('what is not there is reported as missing, and removing it is no error', async () => {
    const store = open()
    assert.equal(await store.size('nothing/here'), undefined)
    await assert.rejects(store.read('nothing/here'), isObjectMissing)
    await store.remove('nothing/here')
    await store.put('gone', inPieces(Buffer.from('x'), 1))
    await store.remove('gone')
    await assert.rejects(store.read('gone'), isObjectMissing)
  })

  test('the list names every object below a prefix, however many pages that takes', async () => {
    const store = open()
    for (const key of ['l/a/1', 'l/a/2', 'l/a/3', 'l/b/1', 'lx']) await store.put(key, inPieces(Buffer.from(key), 9))
    const found = (await Array.fromAsync(store.list('l/'))).map(({ key, size }) => `${key} ${size}`)
    assert.deepEqual(found.sort(), ['l/a/1 5', 'l/a/2 5', 'l/a/3 5', 'l/b/1 5'])
    assert.ok((await Array.fromAsync(store.list())).some(({ key }) => key === 'lx'))
    assert.deepEqual(await Array.fromAsync(store.list('l/c')), [])
  })

  test('no key leads out of the store', async () => {
    const store = open()
    for (const key of [
      '',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      'a/',
      '.hidden',
      'a/.b',
      'a\\b',
      'a\0',
      'ä',
      'a b',
    ])
      for (const act of [
        () => store.put(key, inPieces(Buffer.from('x'), 1)),
        () => store.read(key),
        () => store.size(key),
        () => store.remove(key),
      ])
        await assert.rejects(async () => act(), /not a key of an object/, JSON.stringify(key))
  })
}

describe('a folder on disk', () => {
  let made = 0
  promises(() => createDiskStore(join(root, `disk${made++}`), systemClock))

  test('drafts are never objects, and those a dead process left go after a day', async () => {
    const folder = join(root, 'drafts')
    mkdirSync(join(folder, 'making'), { recursive: true })
    for (const name of ['old', 'new']) writeFileSync(join(folder, 'making', name), name)
    const yesterday = systemClock.now() / 1_000 - 25 * 3_600
    utimesSync(join(folder, 'making', 'old'), yesterday, yesterday)
    const store = createDiskStore(folder, systemClock)
    await store.put('a/b', inPieces(Buffer.from('x'), 1))
    assert.deepEqual(readdirSync(join(folder, 'making')), ['new'])
    assert.deepEqual(await Array.fromAsync(store.list()), [{ key: 'a/b', size: 1 }])
  })
})

describe('S3, checked by its specification', () => {
  let s3: FakeS3
  const open = (more: Partial<Parameters<typeof createS3Store>[0]> = {}) =>
    createS3Store({
      address: { bucket: s3.bucket, prefix: 'in/here' },
      ...s3,
      clock: systemClock,
      retryMs: [1, 1],
      ...more,
    })
  before(async () => {
    s3 = await startFakeS3()
  })
  after(() => s3?.close())
  promises(() => open())

  test('large objects go up in parts of 8 MiB; small ones in one piece; the bucket is in the path', async () => {
    s3.seen.length = 0
    await open().put('small', inPieces(Buffer.alloc(100), 10))
    await open().put('large', inPieces(Buffer.alloc(9 * 1024 * 1024), 1_000_000))
    const asked = s3.seen.map(line => line.replace(/ \S+ /, ' ').replace(/upload-\d+/, 'ID'))
    const at = '/calls/in/here'
    assert.deepEqual(asked, [
      `PUT ${at}/small`,
      `POST ${at}/large?uploads=`,
      `PUT ${at}/large?partNumber=1&uploadId=ID`,
      `PUT ${at}/large?partNumber=2&uploadId=ID`,
      `POST ${at}/large?uploadId=ID`,
    ])
    assert.equal(s3.uploads.size, 0)
  })

  test('the bucket is in the host where the address says so', async () => {
    const { port } = new URL(s3.endpoint)
    s3.seen.length = 0
    // Every name is that of this machine.
    const dispatcher = new Agent({
      connect: { lookup: (_name, _options, report) => report(null, [{ address: '127.0.0.1', family: 4 }]) },
    })
    const fetch = (url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher }) as unknown as Promise<Response>
    const store = open({ endpoint: `http://{bucket}.s3.example:${port}`, fetch })
    await store.put('k', inPieces(Buffer.from('x'), 1))
    assert.deepEqual(s3.seen, [`PUT calls.s3.example:${port} /in/here/k`])
    await dispatcher.close()
  })

  test('what may pass is tried again: refusals for load, connections that break', async () => {
    const misdeeds = [{ status: 503, code: 'SlowDown' }, 'cut' as const]
    s3.misbehave = () => misdeeds.shift()
    const bytes = Buffer.from('in the end')
    await open().put('again', inPieces(bytes, 3))
    s3.misbehave = undefined
    assert.ok(bytes.equals(await contentOf(open(), 'again')))
  })

  test('a completion whose answer was lost is a success, and one that failed leaves no parts', async () => {
    let lost = 1
    s3.misbehave = ({ method, query }) =>
      method === 'POST' && query.has('uploadId') && lost-- > 0 ? 'carryOut' : undefined
    const bytes = randomBytes(9 * 1024 * 1024)
    await open().put('completed', inPieces(bytes, 1_000_000))
    assert.ok(bytes.equals(await contentOf(open(), 'completed')))
    s3.misbehave = ({ method, query }) =>
      method === 'PUT' && query.get('partNumber') === '2' ? { status: 500, code: 'InternalError' } : undefined
    await assert.rejects(open().put('half', inPieces(bytes, 1_000_000)), /S3: PUT in\/here\/half was refused with 500/)
    s3.misbehave = undefined
    assert.equal(s3.uploads.size, 0)
    assert.equal(await open().size('half'), undefined)
  })

  test('refusals that stay name the setting to correct', async () => {
    const cases: [Partial<Parameters<typeof createS3Store>[0]>, RegExp][] = [
      [{ secretAccessKey: 'wrong' }, /403 SignatureDoesNotMatch.*Correct TANDEM_S3_SECRET_ACCESS_KEY/],
      [{ accessKeyId: 'wrong' }, /InvalidAccessKeyId.*Correct TANDEM_S3_ACCESS_KEY_ID/],
      [{ region: 'us-east-1' }, /AuthorizationHeaderMalformed.*Set TANDEM_S3_REGION/],
      [{ address: { bucket: 'other', prefix: '' } }, /NoSuchBucket.*TANDEM_RECORDINGS/],
      [{ clock: { now: () => systemClock.now() - 3_600_000 } }, /RequestTimeTooSkewed.*clock/],
      [{ endpoint: `http://127.0.0.1:${closedPort}` }, /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/],
    ]
    for (const [settings, text] of cases) {
      await assert.rejects(open(settings).put('k', inPieces(Buffer.from('x'), 1)), text)
      // The error does not contain the secret.
      await open(settings)
        .read('k')
        .catch(error => assert.ok(!String(error).includes(s3.secretAccessKey)))
    }
  })

  test('the signature covers what is sent: a body changed on the way is refused', async () => {
    // A proxy that turns one byte around.
    const proxy = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      if (body.length > 0) body[0] = (body[0] as number) ^ 1
      const { connection: _, 'content-length': __, 'transfer-encoding': ___, ...headers } = request.headers
      const { port } = new URL(s3.endpoint)
      const { request: ask } = await import('node:http')
      const onward = ask({ host: '127.0.0.1', port, path: request.url, method: request.method, headers }, answer => {
        response.writeHead(answer.statusCode ?? 500)
        answer.pipe(response)
      })
      onward.end(body)
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const store = open({ endpoint: `http://127.0.0.1:${port}` })
    await assert.rejects(store.put('k', inPieces(Buffer.from('xyz'), 3)), /XAmzContentSHA256Mismatch/)
    proxy.closeAllConnections()
    proxy.close()
  })
})

test('addresses: of AWS by region, of others by path or host', () => {
  const base = (bucket: string, region: string, endpoint?: string) => baseOf({ bucket, region, endpoint })
  assert.equal(base('calls', 'eu-central-1'), 'https://calls.s3.eu-central-1.amazonaws.com')
  assert.equal(base('my.calls', 'eu-central-1'), 'https://s3.eu-central-1.amazonaws.com/my.calls')
  assert.equal(base('calls', 'cn-north-1'), 'https://calls.s3.cn-north-1.amazonaws.com.cn')
  assert.equal(base('calls', 'x', 'https://minio:9000/'), 'https://minio:9000/calls')
  assert.equal(base('calls', 'x', 'https://{bucket}.s3.example.com'), 'https://calls.s3.example.com')
  assert.deepEqual(parseS3Address('s3://calls'), { bucket: 'calls', prefix: '' })
  assert.deepEqual(parseS3Address('s3://calls/a/b/'), { bucket: 'calls', prefix: 'a/b' })
  assert.equal(s3AddressText({ bucket: 'calls', prefix: 'a/b' }), 's3://calls/a/b')
  for (const text of ['disk', 's3://', 's3://C', 's3://calls/../x', 's3://calls?x', 'https://calls', 's3://calls/a b'])
    assert.equal(parseS3Address(text), undefined, text)
  assert.ok(isObjectKey('a'.repeat(512)) && !isObjectKey('a'.repeat(513)))
})

test('the stores of the settings: new objects go to one, old ones stay readable, folders have ids', async () => {
  const folder = join(root, 'settings', 'calls')
  const keys = { s3Region: 'eu-test-1', s3AccessKeyId: 'a', s3SecretAccessKey: 'b' }
  const onDisk = openObjectStores({ folder, current: 'disk', s3Region: 'x' }, systemClock)
  assert.equal(onDisk.current.name, 'disk')
  assert.ok(!existsSync(folder), 'opening touches nothing')
  assert.equal(onDisk.at('s3://calls/a'), undefined)
  const inBucket = openObjectStores({ folder, current: 's3://calls/a', ...keys }, systemClock)
  assert.deepEqual([inBucket.current.name, inBucket.at('disk')?.name], ['s3://calls/a', 'disk'])
  assert.equal(inBucket.at('s3://older')?.name, 's3://older')
  await onDisk.current.put('k', inPieces(Buffer.from('x'), 1))
  assert.equal(String(await contentOf(inBucket.at('disk') as ObjectStore, 'k')), 'x')
  const id = onDisk.folder.id()
  assert.match(id, /^fld_\w{26}$/)
  assert.equal(inBucket.folder.id(), id)
  assert.equal(readFileSync(join(folder, 'folder_id'), 'utf8'), id)
})

const minio = ['minio', '/usr/local/bin/minio'].find(name => spawnSync(name, ['--version']).status === 0)

describe('S3, by a real MinIO', {
  skip: minio === undefined ? 'NOT RUN AGAINST A REAL S3: no minio binary on this machine' : false,
}, () => {
  const credentials = { accessKeyId: 'tandem-test', secretAccessKey: 'tandem-test-secret' }
  const folder = join(root, 'minio')
  let server: ReturnType<typeof spawn>
  let endpoint = ''
  before(async () => {
    // Each folder of its data is a bucket.
    mkdirSync(join(folder, 'calls'), { recursive: true })
    const port = await freePort()
    endpoint = `http://127.0.0.1:${port}`
    const env = { MINIO_ROOT_USER: credentials.accessKeyId, MINIO_ROOT_PASSWORD: credentials.secretAccessKey }
    server = spawn(minio as string, ['server', folder, '--address', `127.0.0.1:${port}`], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    for (let tries = 0; tries < 200; tries++) {
      const answer = await fetch(`${endpoint}/minio/health/ready`).catch(() => undefined)
      if (answer?.ok) return
      await sleep(50)
    }
    throw new Error('minio did not start')
  })
  after(() => server?.kill())
  promises(() =>
    createS3Store({
      address: { bucket: 'calls', prefix: 'p' },
      endpoint,
      region: 'us-east-1',
      ...credentials,
      clock: systemClock,
    }),
  )
})
