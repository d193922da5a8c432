// How the contract test meets what mail is set up with: senders, domains, transports, suppressions. Nothing is spoken to but a port where
// nobody listens.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0
const fresh = () => `contract${++made}`

async function newRecord(t: TestApp, path: string, body: object, as = t.main.tokens.Admin) {
  const { json } = await t.call('POST', `/v2/mail/${path}`, { as, body })
  return json.data
}

type Make = (t: TestApp, as?: string) => Promise<Record<string, string>>
const newSender: Make = async (t, as) => {
  const { senderId } = await newRecord(t, 'senders', { address: `${fresh()}@example.com` }, as)
  return { senderId }
}
const newDomain: Make = async (t, as) => {
  const { domainId } = await newRecord(t, 'domains', { domain: `${fresh()}.example` }, as)
  return { domainId }
}
const newTransport: Make = async (t, as) => {
  const settings = { host: '127.0.0.1', port: 1, security: 'none' }
  const { transportId } = await newRecord(t, 'transports', { kind: 'smtp', name: fresh(), settings }, as)
  return { transportId }
}
const newSuppression: Make = async (t, as) => {
  const { suppressionId } = await newRecord(t, 'suppressions', { address: `${fresh()}@example.com` }, as)
  return { suppressionId }
}

const meets = (make: Make, name: string, prefix: string) => ({
  prepare: async (t: TestApp): Promise<ContractRequest> => ({ params: await make(t) }),
  problems: { not_found: async () => ({ params: { [name]: `${prefix}_01k9r7d3w2v8e6q4n5m1b0c9xz` } }) },
  foreign: async (t: TestApp) => ({ params: await make(t, t.other.tokens.Admin) }),
})

const sender = meets(newSender, 'senderId', 'msn')
const domain = meets(newDomain, 'domainId', 'mdo')
const transport = meets(newTransport, 'transportId', 'mtr')
const suppression = meets(newSuppression, 'suppressionId', 'sup')
const inTestMode = async (t: TestApp) => ({ as: t.main.testKey })

export const contract: ModuleContract = {
  'mail_senders.list': {},
  'mail_senders.create': {
    prepare: async () => ({ body: { address: `${fresh()}@example.com` } }),
    problems: {
      mail_sender_exists: async t => {
        const address = `${fresh()}@example.com`
        await newRecord(t, 'senders', { address })
        return { body: { address } }
      },
    },
  },
  'mail_senders.get': sender,
  'mail_senders.update': sender,
  'mail_senders.delete': sender,
  'mail_domains.list': {},
  'mail_domains.create': {
    prepare: async () => ({ body: { domain: `${fresh()}.example` } }),
    problems: {
      mail_domain_exists: async t => {
        const name = `${fresh()}.example`
        await newRecord(t, 'domains', { domain: name })
        return { body: { domain: name } }
      },
    },
  },
  'mail_domains.get': domain,
  'mail_domains.verify': domain,
  'mail_domains.delete': domain,
  'mail_transports.list': {},
  'mail_transports.create': { problems: { mail_live_only: inTestMode } },
  'mail_transports.get': transport,
  'mail_transports.update': transport,
  'mail_transports.delete': transport,
  'mail_transports.test': {
    ...transport,
    problems: {
      ...transport.problems,
      mail_live_only: async t => ({ params: await newTransport(t), as: t.main.testKey }),
    },
  },
  'mail_suppressions.list': {},
  'mail_suppressions.create': {
    prepare: async () => ({ body: { address: `${fresh()}@example.com` } }),
    problems: {
      mail_suppression_exists: async t => {
        const address = `${fresh()}@example.com`
        await newRecord(t, 'suppressions', { address })
        return { body: { address } }
      },
    },
  },
  'mail_suppressions.delete': suppression,
}
