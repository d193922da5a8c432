// The portal as an operator gets it: the real command builds it where that is needed, says that it is ready only then, and
// serves it beside the API.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endServer, freePort, freshFolder, processesIn, soon, spawnServer, startServer } from './server_process.ts'

const accept = 'text/html,*/*;q=0.8'
const open = (address: string) => fetch(`${address}/login`, { headers: { accept } })

test('who opens the printed address in a browser gets the portal and can log in', async t => {
  const env = { TANDEM_DATA: freshFolder(), TANDEM_PORTAL: '1', TANDEM_ADMIN_PASSWORD: 'a long enough password' }
  const server = await startServer(t, { env })
  const page = await open(server.address)
  assert.equal(page.status, 200, server.stdout())
  const html = await page.text()
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? assert.fail(html)
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
    spawn: (port: number) => spawnServer(context, { env: { ...env, PORT: String(port) }, program }),
  }
}

test('a portal that cannot be built is told in the log and on its pages; a given one is used; a slow one can be left', async t => {
  const { root, put, start, spawn } = installation(t)
  const without = await start()
  const page = await open(without.address)
  assert.equal(page.status, 503)
  assert.match(await page.text(), /could not be built/)
  assert.match(without.stdout(), /there is neither a built portal/)
  assert.equal((await fetch(`${without.address}/v2/catalog`)).status, 200)
  assert.equal((await fetch(`${without.address}/readyz`)).status, 200)
  assert.equal((await endServer(without)).code, 0)

  put('portal/dist/index.html', '<!doctype html><p nonce="__CSP_NONCE__">given</p>')
  const given = await start()
  assert.match(await (await open(given.address)).text(), /given/)
  assert.equal((await endServer(given)).code, 0)

  put('portal/vite/build.ts', 'setTimeout(() => {}, 60_000)')
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const slow = spawn(port)
  const answers = async () => (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200
  assert.ok(await soon(answers), 'users of the API do not wait for the pages')
  const building = await open(address)
  assert.equal(building.status, 503)
  assert.match(await building.text(), /Building the portal/)
  assert.ok(!slow.stdout().includes('is ready'), 'the welcome waits for them')
  assert.ok(processesIn(root).length > 1)
  const asked = performance.now()
  assert.equal((await endServer(slow)).code, 0)
  assert.ok(performance.now() - asked < 4_000, 'the build is given up, not waited for')
  await sleep(100)
  assert.deepEqual(processesIn(root), [])
})
