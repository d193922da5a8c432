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

// A busy machine takes its time to start a server; what it was about to hand over when it was killed is in doubt after a minute.
const patient = { withinMs: 120_000 }

test('the server ends in the middle, twice: nothing is lost and nothing doubled', async t => {
  // What is looked for over and over, on a slow machine for a minute, is no matter of limits.
  const env = { TANDEM_DATA: freshFolder(), PORT: String(await freePort()), TANDEM_RATE_LIMIT_KEY: '100000' }
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
  const texts: string[] = []
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await makeLeads(15)
    const text = await api.messages.sms.send({ from: '+15005550006', to: '+15005550100', body: 'on its way' })
    texts.push(text.messageId)
    await endServer(server, signal)
    await program.line('disconnected')
    server = await startServer(t, { env })
    await makeLeads(15)
  }
  await program.line('connected')
  const types = [
    'lead.created',
    'message.queued',
    'message.sending',
    'message.sent',
    'message.delivered',
    'message.unconfirmed',
  ] as const
  const stored = async () => {
    const lists = await Promise.all(types.map(type => api.events.list.all({ type }).toArray(500)))
    return lists.flat().map(event => event.id)
  }
  const ends = (messageId: string) =>
    eventually(
      'the end of a text',
      async () => {
        const { status, history } = await api.messages.get({ messageId })
        return (status === 'delivered' || status === 'unconfirmed') && history.map(step => step.status).join(' ')
      },
      patient,
    )
  const [killed, stopped] = [await ends(texts[0]!), await ends(texts[1]!)]
  assert.equal(stopped, 'queued sending sent delivered', 'an orderly end leaves nothing in doubt')
  // What the process was handing over as it was killed is never handed over again.
  assert.match(killed, /^queued sending (sent delivered|unconfirmed( delivered)?)$/)
  const sent = await stored()
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
