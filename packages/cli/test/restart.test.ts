// A real server that is stopped, killed and started again while `tandem listen` runs: every event reaches the server of the developer,
// signed, and once.
// test: programs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../scripts/testing/free_port.ts'
import { createTandem } from '../../../sdk/src/index.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { endServer, freshFolder, startServer } from '../../../server/test/server_process.ts'
import { tandem } from './program.ts'
import { startReceiver } from './receiver.ts'

// A busy machine takes its time to start a server.
const patient = { withinMs: 60_000 }

test('the server ends in the middle, twice: nothing is lost and nothing doubled', async t => {
  const env = { TANDEM_DATA: freshFolder(), PORT: String(await freePort()) }
  let server = await startServer(t, { env })
  const key = /tdm_test_\w+/.exec(server.stdout())![0]
  const api = createTandem({ baseUrl: server.address, token: key })
  let secret = ''
  const receiver = await startReceiver(() => secret)
  t.after(() => receiver.close())
  const program = tandem(['listen', '--json', '-f', receiver.address, '-e', 'lead.*,message.*'], {
    TANDEM_KEY: key,
    TANDEM_URL: server.address,
  })
  t.after(() => program.child.kill('SIGKILL'))
  const ready = await program.line('ready')
  secret = ready.secret
  const { listenerId } = ready

  let leads = 0
  const makeLeads = async (count: number) => {
    for (let n = 0; n < count; n++)
      await api.leads.create({ name: `Lead ${++leads}`, email: `lead${leads}@example.com` })
  }
  const got = () => receiver.received.map(({ body }) => JSON.parse(body))
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await makeLeads(15)
    await api.messages.sms.send({ from: '+15005550006', to: '+15005550100', body: 'on its way' })
    await endServer(server, signal)
    await program.line('disconnected')
    server = await startServer(t, { env })
    await makeLeads(15)
  }
  await program.line('connected')
  const types = ['lead.created', 'message.queued', 'message.sending', 'message.sent', 'message.delivered'] as const
  const stored = async () => {
    const lists = await Promise.all(types.map(type => api.events.list.all({ type }).toArray(500)))
    return lists.flat().map(event => event.id)
  }
  const sent = await eventually(
    'both texts delivered',
    async () => {
      const ids = await stored()
      return (await api.events.list({ type: 'message.delivered' })).items.length === 2 && ids
    },
    patient,
  )
  const ids = () => new Set(got().map(({ id }) => id))
  await eventually('all of them', () => sent.every(id => ids().has(id)), patient)
  assert.equal(sent.filter(id => got().some(event => event.id === id && event.type === 'lead.created')).length, 60)
  assert.equal(got().length, ids().size, 'each once')
  assert.ok(
    receiver.received.every(({ verified }) => verified),
    'each signed',
  )
  // The server knows of every answer.
  await eventually('all answers', async () => (await api.webhookListeners.get({ listenerId })).waiting === 0, patient)
  const listed = await api.webhookListeners.deliveries.all({ listenerId }).toArray(500)
  assert.deepEqual(new Set(listed.map(({ status }) => status)), new Set(['delivered']))
  assert.deepEqual(new Set(listed.map(({ eventId }) => eventId)), ids())

  program.child.kill('SIGINT')
  assert.equal(await program.ended, 0)
  assert.equal((await api.webhookListeners.get({ listenerId })).state, 'ended')
  assert.equal((await endServer(server)).code, 0)
})
