// The portal as an operator gets it: the real command serves it beside the API, and builds it where that is needed without keeping the
// API waiting: its pages say so, and what failed.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endServer, freshFolder, processesIn, soon, startServer } from './server_process.ts'

const accept = 'text/html,*/*;q=0.8'
const open = (address: string) => fetch(`${address}/login`, { headers: { accept } })

/** The page, as soon as it is not the one of a build any more. */
async function built({ address }: { address: string }): Promise<Response> {
  for (;;) {
    const page = await open(address)
    if (page.headers.get('retry-after') === null) return page
    await page.text()
    await sleep(100)
  }
}

test('who opens the printed address in a browser gets the portal and can log in', async t => {
  const env = { TANDEM_DATA: freshFolder(), TANDEM_PORTAL: '1', TANDEM_ADMIN_PASSWORD: 'a long enough password' }
  const server = await startServer(t, { env })
  // Where no test before this one has built it, that takes a while.
  const page = await built(server)
  assert.equal(page.status, 200, server.stdout())
  const html = await page.text()
  const [, script] = /href="(\/_built\/first-[^"]+\.js)"/.exec(html) ?? assert.fail(html)
  const asset = await fetch(`${server.address}${script}`, { headers: { 'accept-encoding': 'br' } })
  assert.deepEqual([asset.status, asset.headers.get('content-encoding')], [200, 'br'])
  const login = await fetch(`${server.address}/portal/session`, {
    method: 'POST',
    headers: { 'x-tandem-portal': '1', 'content-type': 'application/json', origin: server.address },
    body: JSON.stringify({ emailOrAdminId: 'admin@tandem.localhost', password: env.TANDEM_ADMIN_PASSWORD }),
  })
  assert.equal(login.status, 200, await login.clone().text())
  const { accessTokens } = (await login.json()) as { accessTokens: { live: { accessToken: string } } }
  const me = await fetch(`${server.address}/v2/users/me`, {
    headers: { authorization: `Bearer ${accessTokens.live.accessToken}` },
  })
  assert.equal(me.status, 200)
  assert.equal((await fetch(server.address)).headers.get('content-type'), 'application/json; charset=utf-8')
  const { code, stderr } = await endServer(server)
  assert.deepEqual([code, stderr], [0, ''])
})

test('a process without the role api builds and serves no pages', async t => {
  const env = { TANDEM_DATA: freshFolder(), TANDEM_PORTAL: '1', TANDEM_ROLES: 'worker' }
  const server = await startServer(t, { env })
  assert.equal((await open(server.address)).status, 404)
  assert.equal((await fetch(`${server.address}/portal/session`, { method: 'DELETE' })).status, 404)
  assert.equal((await endServer(server)).code, 0)
})

/** An installation of the server alone, to which a test gives what portal it wants. */
function installation(context: TestContext) {
  const root = join(freshFolder(), 'tandem')
  const checkout = join(import.meta.dirname, '../..')
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'package.json']) {
    cpSync(join(checkout, part), join(root, part), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  const program: [string, ...string[]] = [process.execPath, join(root, 'server/src/main.ts'), 'serve']
  const env = { TANDEM_DATA: join(root, 'data'), TANDEM_PORTAL: '1' }
  return {
    root,
    put(file: string, text: string) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    },
    start: () => startServer(context, { env, program }),
  }
}

test('a portal that cannot be built is reported in the log and on its pages, with what to do; a given one is used', async t => {
  const { put, start } = installation(t)
  const without = await start()
  const page = await open(without.address)
  assert.equal(page.status, 503)
  const text = await page.text()
  assert.match(text, /could not be built/)
  assert.match(text, /neither a built portal nor its sources/)
  assert.match(text, /TANDEM_PORTAL=0/)
  assert.match(without.stdout(), /there is neither a built portal/)
  assert.equal((await fetch(`${without.address}/v2/catalog`)).status, 200)
  assert.equal((await fetch(`${without.address}/readyz`)).status, 200)
  assert.equal((await endServer(without)).code, 0)

  put('portal/dist/index.html', '<!doctype html><p nonce="__CSP_NONCE__">given</p>')
  const given = await start()
  assert.match(await (await open(given.address)).text(), /given/)
  assert.equal((await endServer(given)).code, 0)

  put('portal/vite/build.ts', "await import('not-installed')")
  const broken = await start()
  const failed = await (await built(broken)).text()
  assert.match(failed, /The package “not-installed” is not installed\..*\n.*Run “npm ci”/)
  assert.equal((await endServer(broken)).code, 0)
})

test('the API does not wait for a build; the page says so until the portal is there; a start later it is there at once', async t => {
  const { root, put, start } = installation(t)
  put(
    'portal/vite/build.ts',
    `import { existsSync, writeFileSync } from 'node:fs'
     while (!existsSync('portal/.go')) await new Promise(resolve => setTimeout(resolve, 20))
     writeFileSync(process.argv[2] + '/index.html', '<p nonce="__CSP_NONCE__">built</p>')`,
  )
  const first = await start()
  assert.equal((await fetch(`${first.address}/readyz`)).status, 200)
  const building = await open(first.address)
  assert.equal(building.status, 503)
  assert.match(await building.text(), /http-equiv="refresh"[\s\S]*Building the portal/)
  assert.match(await (await open(first.address)).text(), /Building the portal/, 'for as long as that takes')
  put('portal/.go', '')
  assert.match(await (await built(first)).text(), />built</)
  assert.equal((await endServer(first)).code, 0)

  const second = await start()
  assert.match(await (await open(second.address)).text(), />built</)
  assert.equal((await endServer(second)).code, 0)

  put('portal/src/new.ts', '')
  rmSync(join(root, 'portal/.go'))
  const slow = await start()
  assert.ok(await soon(() => processesIn(root).length > 1), 'it builds')
  const asked = performance.now()
  assert.equal((await endServer(slow)).code, 0)
  assert.ok(performance.now() - asked < 4_000, 'the build is given up, not waited for')
  await sleep(100)
  assert.deepEqual(processesIn(root), [])
})
