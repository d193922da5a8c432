// `tandem rotate` beside a server of one's own, as an operator types it.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from './eventually.ts'
import { endServer, freshFolder, spawnServer, startServer } from './server_process.ts'

async function rotate(t: TestContext, env: Record<string, string>, ...words: string[]) {
  const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', 'rotate', ...words]
  return spawnServer(t, { env, program }).ended
}

test('all keys are rotated beside a server that runs, and without one; wrong usage is exit code 2', async t => {
  const env = { TANDEM_DATA: freshFolder() }
  const file = join(env.TANDEM_DATA, 'instance.key')
  const server = await startServer(t, { env })
  const key = /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]
  const answers = async ({ address }: { address: string }) =>
    (await fetch(`${address}/v2/users/me`, { headers: { authorization: `Bearer ${key}` } })).status
  const before = readFileSync(file, 'utf8')
  const done = async (...words: string[]) => {
    const { code, stdout, stderr } = await rotate(t, env, ...words, '--json')
    assert.equal(code, 0, stderr)
    assert.ok(!stdout.includes(before.trim()))
    return JSON.parse(stdout)
  }
  const { rootKey } = await done('status')
  assert.equal(rootKey.place, file)
  const { fingerprint } = await done('root')
  assert.notEqual(fingerprint, rootKey.fingerprint)
  assert.notEqual(readFileSync(file, 'utf8'), before)
  const { kid } = await done('signing', '--now')
  await eventually('the new key in the JWKS', async () =>
    (await (await fetch(`${server.address}/.well-known/jwks.json`)).text()).includes(kid),
  )
  await done('pepper')
  assert.equal(await answers(server), 200)
  const needs = await done('pepper', '--status')
  assert.equal(needs.apiKeys, 1, 'the key for tests was not used')
  const refused = await rotate(t, env, 'pepper', '--finish')
  assert.deepEqual([refused.code, /1 API keys have not been used since/.test(refused.stderr)], [1, true])
  await done('sealing')
  assert.equal(await answers(server), 200)
  await endServer(server)

  await done('pepper', '--finish', '--yes')
  await done('root', '--plain')
  for (const words of [[], ['all'], ['pepper', '--now'], ['signing', '--revoke-old'], ['signing', '--overlap', 'soon']])
    assert.equal((await rotate(t, env, ...words)).code, 2, words.join(' '))
  const next = await startServer(t, { env })
  assert.equal(await answers(next), 200)
  await endServer(next)
  const { rootKey: again, secrets } = await done('status')
  assert.equal(again.fingerprint, fingerprint, 'sealed again, by the same file')
  assert.deepEqual(
    secrets.map(({ kind, version, state }: Record<string, unknown>) => `${kind} ${version} ${state}`),
    [
      'lasting_key 1 active',
      'pepper 2 active',
      'sealing_key 1 retiring',
      'sealing_key 2 active',
      'signing_key 1 retiring',
      'signing_key 2 active',
    ],
  )
})
