// A test of settings against message centres that do not keep to what a test asks for: what is shown of it stays short, and
// it ends early.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { createPduReader, encodePdu } from '@tandem/smpp'
import { settingsWith } from '../../../test/carriers/smpp_wire.ts'
import { floodText } from '../../kernel/links/transcript.ts'
import { parseCidr } from '../../kernel/outbound/egress.ts'
import { testBind } from './test_bind.ts'

test('a message centre that sends without end is given up, and its first hundred PDUs are shown', async context => {
  const flood = Buffer.concat(
    Array.from({ length: 10_000 }, (_, at) => encodePdu({ command: 'enquire_link', sequence: at + 1 })),
  )
  const server = createServer(socket => {
    const reader = createPduReader()
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      for (const { command, sequence } of reader.push(chunk)) {
        if (command === 'bind_transceiver') socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence }))
        if (command === 'enquire_link') socket.write(flood)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const steps = await testBind(settingsWith({ host: '127.0.0.1', port }), [parseCidr('127.0.0.0/8')!])
  assert.deepEqual(
    steps.map(({ step, ok }) => `${step} ${ok}`),
    ['resolve true', 'connect true', 'bind true', 'enquire_link false'],
  )
  const { message, pdus } = steps.at(-1)!
  assert.equal(message, floodText)
  assert.equal(pdus.length, 102)
  assert.equal(pdus[0]?.text, 'enquire_link seq=2')
  for (const { text } of pdus.slice(100)) assert.match(text, /^… and [\d,]+ more$/)
  assert.deepEqual(
    steps[2]?.pdus.map(({ direction }) => direction),
    ['sent', 'received'],
  )
})
