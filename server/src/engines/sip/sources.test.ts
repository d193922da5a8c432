// Where calls come in from: names are looked up before the first call needs them and not for each call; trunks that change or go
// take their addresses along.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipTrunk } from '../trunks/line.ts'
import { createSources } from './sources.ts'

function trunk(key: string, sourceAddresses: string[] = []): SipTrunk {
  const settings = { host: `${key}.example`, port: 5060, transport: 'udp', sourceAddresses, inboundUsername: null }
  return { key, scope: { tenantId: 1, organizationId: 1 }, settings } as unknown as SipTrunk
}

function open(context: TestContext, addressesOf: () => Promise<string[]>) {
  const sources = createSources({ addressesOf })
  context.after(() => sources.close())
  const cameBy = async (address: string) => (await sources.cameBy(address)).map(({ trunkId }) => trunkId)
  return { add: sources.add, cameBy }
}

test('a name is looked up once for many calls, and the first of them waits for it', async context => {
  let lookups = 0
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const { add, cameBy } = open(context, () => {
    lookups++
    return promise
  })
  add(trunk('named'))
  add(trunk('given', ['198.51.100.0/24']))
  const first = cameBy('192.0.2.1')
  resolve(['192.0.2.1'])
  assert.deepEqual(await first, ['named'])
  for (let n = 0; n < 100; n++) assert.deepEqual(await cameBy('198.51.100.9'), ['given'])
  assert.deepEqual(await cameBy('203.0.113.1'), [])
  assert.equal(lookups, 1)
})

test('a trunk that was set up anew, or has gone, is not found by what it had before', async context => {
  const answer = Promise.withResolvers<string[]>()
  const { add, cameBy } = open(context, () => answer.promise)
  const leaveOld = add(trunk('a', ['192.0.2.1']))
  const leaveNew = add(trunk('a', ['192.0.2.2']))
  leaveOld()
  assert.deepEqual([await cameBy('192.0.2.1'), await cameBy('192.0.2.2')], [[], ['a']])
  leaveNew()
  assert.deepEqual(await cameBy('192.0.2.2'), [])
  // It goes while its name is looked up.
  const leaveNamed = add(trunk('named'))
  leaveNamed()
  answer.resolve(['192.0.2.3'])
  await answer.promise
  assert.deepEqual(await cameBy('192.0.2.3'), [])
})

test('a name that leads nowhere lets calls by others through', async context => {
  const { add, cameBy } = open(context, () => Promise.reject(new Error('no such name')))
  add(trunk('nameless'))
  add(trunk('given', ['198.51.100.7']))
  assert.deepEqual(await cameBy('198.51.100.7'), ['given'])
})
