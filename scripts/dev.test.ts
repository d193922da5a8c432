// `npm run dev` as a developer has it: one address for the portal's sources and the API, and one signal that ends it all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endServer, freshFolder, processesIn, soon, spawnServer } from '../server/test/server_process.ts'
import { freePort } from './testing/free_port.ts'

test('one address serves the portal with live reload and the API; one signal leaves nothing behind', async t => {
  const dataDir = freshFolder()
  const port = await freePort()
  const password = 'a long enough password'
  const env = { TANDEM_DATA: dataDir, PORT: String(port), TANDEM_ADMIN_PASSWORD: password, HOME: dataDir }
  const dev = spawnServer(t, { env, program: [process.execPath, 'scripts/dev.ts'] })
  const text = await dev.printed(/Tandem is ready on \S+\n/)
  const address = `http://127.0.0.1:${port}`
  assert.ok(text.includes(`Tandem is ready on ${address}\n`), text)
  assert.ok(text.includes(`on ${address}\n`), text)

  const page = await fetch(`${address}/explorer/v2/messaging/x`, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(await page.text(), /\/@vite\/client[\s\S]*\/src\/main\.tsx/)
  const source = await fetch(`${address}/src/app/app.tsx`)
  assert.match(await source.text(), /\$RefreshReg\$/, 'React takes changes without a reload')

  for (const path of ['/healthz', '/v2/catalog', '/.well-known/jwks.json', '/readyz']) {
    const answer = await fetch(`${address}${path}`)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /json/, path)
  }
  const login = await fetch(`${address}/portal/session`, {
    method: 'POST',
    headers: { 'x-tandem-portal': '1', 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ emailOrAdminId: 'admin@tandem.localhost', password }),
  })
  assert.equal(login.status, 200, await login.text())
  assert.match(login.headers.get('set-cookie') ?? '', /^tandem_portal_live=.*HttpOnly/)

  assert.notDeepEqual(processesIn(dataDir), [])
  const { code } = await endServer(dev, 'SIGINT')
  assert.equal(code, 0)
  assert.ok(await soon(() => processesIn(dataDir).length === 0))
  await assert.rejects(fetch(`${address}/healthz`))
})
