// The package as a customer gets it: packed, installed offline in an empty project, imported from plain JavaScript on this
// Node and the oldest one promised, type-checked as a page and as a program, bundled, and every piece of code of the README run.
// test: own process
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { chromiumMissing, startChromium } from '../../portal/test/chromium.ts'
import { testPassword } from '../../server/test/harness.ts'
import { type ListeningApp, startListeningApp } from './server.ts'

const root = join(import.meta.dirname, '../..')
const sdk = join(root, 'sdk')
const run = promisify(execFile)

let t: ListeningApp
let project: string
let env: NodeJS.ProcessEnv
before(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-sdk-')))
  const [app] = await Promise.all([startListeningApp(), install()])
  t = app
  env = {
    PATH: process.env['PATH'],
    TANDEM_URL: t.baseUrl,
    TANDEM_KEY: t.main.liveKey,
    TANDEM_EMAIL: t.main.users.Admin.email,
    TANDEM_PASSWORD: testPassword,
  }
})
after(async () => {
  await t?.close()
  rmSync(project, { recursive: true, force: true })
})

async function install(): Promise<void> {
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(['pack', '--silent', '--pack-destination', project], sdk)
  const [tarball] = readdirSync(project).filter(name => name.endsWith('.tgz'))
  await npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], project)
}

async function npm(args: string[], cwd: string): Promise<void> {
  const cache = join(project, '.npm')
  await reported(run('npm', [...args, '--cache', cache], { cwd, env: { PATH: process.env['PATH'], HOME: project } }))
}

/** A failure contains what the program printed. */
async function reported(running: Promise<{ stdout: string; stderr: string }>): Promise<string> {
  try {
    return (await running).stdout
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}

const node = (program: string, file: string) =>
  reported(run(program, [join(project, file)], { cwd: project, env, timeout: 30_000 }))

test('the package holds its JavaScript, its types and its README, and needs nothing else', () => {
  const installed = join(project, 'node_modules/@tandem/sdk')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined])
  assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json'])
  for (const file of ['index.js', 'index.d.ts', 'types.generated.d.ts'])
    assert.ok(existsSync(join(installed, 'dist', file)))
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.')),
    ['@tandem'],
  )
})

describe('plain JavaScript', () => {
  const program = `
    import assert from 'node:assert/strict'
    import { createTandem, TandemError } from '@tandem/sdk'
    const tandem = createTandem({ baseUrl: process.env.TANDEM_URL, token: process.env.TANDEM_KEY })
    const { lead } = await tandem.leads.create({ name: 'Plain', email: 'plain@example.org' })
    assert.equal(lead.status, 'New')
    let found = 0
    for await (const one of tandem.leads.list.all({ q: 'plain@example.org', limit: 1 })) found += one.name === 'Plain' ? 1 : 0
    assert.ok(found > 0)
    await assert.rejects(tandem.leads.get({ id: 999999 }), error => error instanceof TandemError && error.code === 'not_found')
    const stream = tandem.stream.open({ topics: 'events' }, { onOpen: () => tandem.leads.update({ id: lead.id, notes: 'x' }) })
    for await (const { event } of stream) if (event === 'event') break
    console.log('works on', process.version)
  `
  before(() => writeFileSync(join(project, 'plain.js'), program))

  test('on this Node', async () => {
    assert.match(await node(process.execPath, 'plain.js'), /works on v/)
  })

  const oldest = oldestNode()
  test('on Node 20', { skip: oldest === undefined && 'there is no Node 20 in the PATH' }, async () => {
    assert.match(await node(oldest as string, 'plain.js'), /works on v20\./)
  })
})

/** A Node 20 in the PATH; the one of the project itself is newer. */
function oldestNode(): string | undefined {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => !folder.includes('node_modules'))
    .map(folder => join(folder, 'node'))
  return candidates.find(file => existsSync(file) && /^v20\./.test(versionOf(file)))
}

function versionOf(file: string): string {
  return spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? ''
}

describe('types', () => {
  const consumer = `
    import { createTandem, type Call, type Instruction, isTandemError, type Lead, type Message, type TandemErrorCode } from '@tandem/sdk'
    const tandem = createTandem({ token: async () => 'tdm_test_x', fetchOptions: { credentials: 'omit' } })
    export async function use(): Promise<Message[]> {
      const { lead, duplicates } = await tandem.leads.create({ name: 'Ada', phone: '+15005550100', priority: 'Hot' })
      const same: Lead = (await tandem.leads.get({ id: lead.id })).lead
      const answer = await tandem.calls.create({ from: '+15005550006', to: '+15005550100' }).withResponse()
      const state: Call['state'] = answer.data.state
      for await (const call of tandem.calls.list.all({ state: 'completed' })) console.log(call.callId, duplicates?.length, state, same)
      for await (const message of tandem.stream.open({ topics: ['requests'] }))
        if (message.event === 'request') console.log(message.data.path)
      // @ts-expect-error a state that does not exist
      await tandem.calls.list({ state: 'sleeping' })
      // @ts-expect-error a comparison that can never be true
      if (answer.data.state === 'sleeping') console.log(answer.status)
      // @ts-expect-error a field that does not exist
      await tandem.leads.list({ statuses: 'New' })
      // @ts-expect-error a required field is missing
      await tandem.messages.sms.send({ from: '+15005550006', to: '+15005550100' })
      // @ts-expect-error only lists can be read whole
      tandem.leads.get.all()
      const callId = answer.data.callId
      await tandem.calls.command({ callId, verb: 'record', mode: 'call', channels: 'dual' })
      await tandem.calls.command({ callId, instructions: menu })
      const [first] = (await tandem.calls.get({ callId })).instructions ?? []
      if (first?.verb === 'say') console.log(first.text.length)
      // @ts-expect-error a verb that does not exist
      await tandem.calls.command({ callId, verb: 'sing' })
      // @ts-expect-error a message is no command
      await tandem.calls.command({ callId, verb: 'record', mode: 'message' })
      // @ts-expect-error only say has a text
      if (first?.verb === 'hangup') console.log(first.text)
      return [await tandem.messages.get({ messageId: 'msg_1' })]
    }
    const menu: Instruction[] = [
      { verb: 'gather', numDigits: 1, prompt: [{ verb: 'say', text: '1 for sales' }], branches: { '1': 'sales' } },
      { verb: 'dial', label: 'sales', targets: [{ type: 'queue', queue: 'sales' }], onFail: [{ verb: 'record' }] },
    ]
    export const wrong: Instruction[] = [
      // @ts-expect-error a verb that does not exist
      { verb: 'sing', text: 'la' },
      // @ts-expect-error a property that does not exist
      { verb: 'say', txt: 'Hello' },
      // @ts-expect-error a property of another verb
      { verb: 'hangup', text: 'Hello' },
      // @ts-expect-error a required property is missing
      { verb: 'say' },
      // @ts-expect-error a value that does not exist
      { verb: 'hold', leg: 'both' },
      // @ts-expect-error a kind of target that does not exist
      { verb: 'dial', targets: [{ type: 'pager', number: '1' }] },
      // @ts-expect-error a queue cannot be handed a call
      { verb: 'transfer', to: { type: 'queue', queue: 'sales' } },
      // @ts-expect-error however deep it stands
      { verb: 'dial', targets: [], onFail: [{ verb: 'detectMachine', onMachine: [{ verb: 'say', txt: 'Hello' }] }] },
      // @ts-expect-error a prompt is heard, it does nothing
      { verb: 'gather', prompt: [{ verb: 'hangup' }] },
      // @ts-expect-error only who waits in a queue can leave it
      { verb: 'leave' },
    ]
    const handled: TandemErrorCode[] = ['recipient_opted_out', 'network_error']
    export function isHandled(error: unknown): boolean {
      return isTandemError(error) && handled.some(code => code === error.code)
    }
  `
  const common = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false, noUncheckedIndexedAccess: true }
  const surroundings = {
    'a page with a bundler': {
      ...{ ...common, module: 'esnext', moduleResolution: 'bundler' },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] },
    },
    'a program on Node': {
      ...{ ...common, skipLibCheck: true, module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'] },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    },
  }
  for (const [name, compilerOptions] of Object.entries(surroundings)) {
    test(`in ${name}`, async () => {
      writeFileSync(join(project, 'consumer.ts'), consumer)
      await typeCheck(['consumer.ts'], compilerOptions)
    })
  }
})

async function typeCheck(files: string[], compilerOptions: object): Promise<void> {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await reported(
    run(process.execPath, [join(root, 'node_modules/typescript/lib/tsc.js'), '-p', project], { cwd: project }),
  )
}

describe('in a page', () => {
  let bundle: string
  before(async () => {
    writeFileSync(join(project, 'page.js'), `export { createTandem, TandemError } from '@tandem/sdk'`)
    const entry = join(project, 'page.js')
    const made = await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: { lib: { entry, formats: ['iife'], name: 'tandem' }, write: false, minify: true, target: 'es2022' },
    })
    bundle = ((Array.isArray(made) ? made[0] : made) as Rolldown.RolldownOutput).output[0].code
  })

  test('all of it is at most 10 KiB, compressed: a line for each endpoint is most of it', t => {
    const { length } = gzipSync(bundle, { level: 9 })
    t.diagnostic(`${length} bytes gzip, ${bundle.length} bytes minified`)
    assert.ok(length <= 10 * 1024, `${length} bytes`)
  })

  test('it needs nothing that only Node has, nor a secure origin', async () => {
    const given = { fetch, Headers, URL, URLSearchParams, AbortController, AbortSignal, TextDecoder, performance }
    const crypto = { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(bytes) }
    const page = createContext({ ...given, crypto, setTimeout, clearTimeout, location: { origin: t.baseUrl } })
    const answer = await runInContext(
      `${bundle}; tandem.createTandem({ token: '${t.main.liveKey}' }).messages.sms.send(
        { from: '+15005550006', to: '+15005550100', body: 'from a page' }).withResponse()`,
      page,
    )
    assert.deepEqual([answer.status, answer.data.status], [200, 'queued'])
    assert.match(answer.idempotencyKey, /^[0-9a-f]{32}$/)
  })

  test('in Chromium: a call, a list, a stream, an abort, a fault', { skip: chromiumMissing }, async () => {
    const { browser, close } = await startChromium()
    try {
      // An answer of the API lets nothing run in its page; here it stands for a page of somebody's own.
      const page = await browser.newPage({ bypassCSP: true })
      await page.goto(`${t.baseUrl}/v2/problems`)
      await page.evaluate(bundle)
      const seen = await page.evaluate(journey, t.main.liveKey)
      assert.deepEqual(seen, {
        ...{ status: 'queued', hasId: true, limit: 1_000_000, listed: true },
        ...{ event: 'lead.created', aborted: 'AbortError', missing: 'not_found', gone: 'network_error' },
      })
    } finally {
      await close()
    }
  })
})

/** Runs in the page. */
async function journey(key: string) {
  const { createTandem } = (globalThis as unknown as { tandem: typeof import('@tandem/sdk') }).tandem
  const tandem = createTandem({ token: key, fetchOptions: { credentials: 'omit', cache: 'no-store' } })
  const sms = { from: '+15005550006', to: '+15005550100', body: 'from Chromium' }
  const { data, requestId, rateLimit } = await tandem.messages.sms.send(sms).withResponse()
  const [latest] = await tandem.messages.list.all({ limit: 1 }).toArray(1)
  const lead = { name: 'Chromium', email: 'chromium@example.net' }
  let event = ''
  const stream = tandem.stream.open({ topics: 'events' }, { onOpen: () => tandem.leads.create(lead) })
  for await (const reported of stream) {
    if (reported.event !== 'event' || !reported.data.type.startsWith('lead.')) continue
    event = reported.data.type
    break
  }
  const controller = new AbortController()
  const fault = (call: Promise<unknown>, field: 'name' | 'code') =>
    call.then(
      () => 'none',
      error => error[field] as string,
    )
  const aborted = fault(tandem.leads.list({}, { signal: controller.signal }), 'name')
  controller.abort()
  const closed = createTandem({ baseUrl: 'http://127.0.0.1:9', token: key, maxRetries: 0 })
  return {
    status: data.status,
    hasId: requestId?.startsWith('req_'),
    limit: rateLimit?.limit,
    listed: latest?.body === 'from Chromium',
    event,
    aborted: await aborted,
    missing: await fault(tandem.leads.get({ id: 999_999 }), 'code'),
    gone: await fault(closed.leads.list(), 'code'),
  }
}

describe('the README', () => {
  const text = readFileSync(join(sdk, 'README.md'), 'utf8')
  const blocks = text.split(/^## /m).flatMap(section => {
    const title = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, code = '']) => ({ title, code }))
  })
  const client = blocks[0]?.code.slice(0, blocks[0].code.indexOf('\n\nconst message')) ?? ''
  const files = blocks.map(({ code }, index) => {
    const file = `readme_${index}.ts`
    return { file, code: code.includes('createTandem(') ? code : `${client}\n${code}\nexport {}\n` }
  })
  before(() => {
    for (const { file, code } of files) writeFileSync(join(project, file), code)
  })

  test('its code has right types', async () => {
    assert.ok(files.length >= 9, 'code blocks were found')
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'esnext', lib: ['esnext'], skipLibCheck: true },
      ...{ module: 'nodenext', moduleResolution: 'nodenext', noUncheckedIndexedAccess: true },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    }
    await typeCheck(
      files.map(({ file }) => file),
      compilerOptions,
    )
  })

  for (const [index, { title }] of blocks.entries()) {
    test(`its code runs: ${title}`, async () => {
      assert.notEqual(await node(process.execPath, files[index]?.file as string), '', 'it prints what it did')
    })
  }
})
