// A test of a trunk's settings against a carrier that answers without end: what is shown of it stays short, and it ends
// early.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { floodText } from '../../kernel/links/transcript.ts'
import { parseCidr } from '../../kernel/outbound/egress.ts'
import type { TrunkSettings } from '../../modules/voice/trunks/index.ts'
import { testSipTrunk } from './test_trunk.ts'

test('a carrier that answers without end is given up, and its first hundred messages are shown', async context => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', chunk => {
      const answer = chunk.toString().replace(/^OPTIONS .*/, 'SIP/2.0 100 Trying')
      socket.write(answer.repeat(10_000))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const own = { host: '127.0.0.1', port, transport: 'tcp', outboundProxy: null, username: null, fromUser: null }
  const settings = { ...own, fromDomain: null, register: false, tlsVerify: true, tlsCa: null } as TrunkSettings
  const surroundings = { allow: [parseCidr('127.0.0.0/8')!], sip: { address: '127.0.0.1', advertise: null } }
  const steps = await testSipTrunk(settings, surroundings as never)
  assert.deepEqual(
    steps.map(({ step, ok }) => `${step} ${ok}`),
    ['resolve true', 'connect true', 'options false'],
  )
  const { message, messages } = steps.at(-1)!
  assert.equal(message, floodText)
  assert.equal(messages.length, 101)
  assert.match(messages[0]!.text, /^OPTIONS /)
  assert.match(messages[100]!.text, /^… and [\d,]+ more$/)
})
