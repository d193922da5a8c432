// Phones for tests of the registrar: a server that takes them at a free port, credentials of a test tenant, and user agents of ours
// that register with them.
import { randomBytes } from 'node:crypto'
import { createDigestClient, type SipResponse } from '@tandem/sip'
import { eventually } from '../eventually.ts'
import { startTestApp, type TestApp } from '../harness.ts'
import { type Carrier, type CarrierOptions, sipEnv, startCarrier } from './sip_carrier.ts'

export type Account = { credentialId: string; user: string; password: string; address: string }

/** A server with phones: the domain is 127.0.0.1, the port is free. */
export async function startPhoneServer(port: number, env: Record<string, string> = {}): Promise<TestApp> {
  return startTestApp({
    work: true,
    env: {
      ...sipEnv,
      TANDEM_EGRESS_ALLOW: '',
      TANDEM_SIP_DOMAIN: 'phones.test',
      TANDEM_SIP_PORT: String(port),
      ...env,
    },
  })
}

export async function addAccount(t: TestApp, as: string, body: Record<string, unknown>): Promise<Account> {
  const { status, json, text } = await t.call('POST', '/v2/voice/sip-credentials', { as, body })
  if (status !== 201) throw new Error(`no credential: ${text}`)
  const { credentialId, phone, password } = json.data
  return { credentialId, user: phone.username, password, address: phone.address }
}

export type TestPhone = Carrier & {
  /** Answers the last response. */
  register(options?: RegisterOptions): Promise<SipResponse>
}

type RegisterOptions = {
  expires?: number
  password?: string
  tcp?: boolean
  contact?: string
  headers?: [string, string][]
}

/** A phone of ours. */
export async function openTestPhone(port: number, { user, password }: Account, options?: CarrierOptions) {
  const carrier = await startCarrier(options)
  const callId = randomBytes(8).toString('hex')
  let cseq = 0
  async function register({ expires = 300, tcp = false, headers = [], ...other }: RegisterOptions = {}) {
    const digest = createDigestClient({ username: user, password: other.password ?? password }, bytes =>
      randomBytes(bytes),
    )
    const uri = 'sip:phones.test'
    for (;;) {
      cseq++
      const number = cseq
      const outcome = await carrier.agent.request(
        (via, host) => ({
          kind: 'request',
          method: 'REGISTER',
          uri,
          headers: [
            { name: 'Via', value: via },
            { name: 'Max-Forwards', value: '70' },
            { name: 'From', value: `<sip:${user}@phones.test>;tag=1` },
            { name: 'To', value: `<sip:${user}@phones.test>` },
            { name: 'Call-ID', value: callId },
            { name: 'CSeq', value: `${number} REGISTER` },
            { name: 'Contact', value: other.contact ?? `<sip:${user}@${host}${tcp ? ';transport=tcp' : ''}>` },
            { name: 'Expires', value: String(expires) },
            ...headers.map(([name, value]) => ({ name, value })),
            ...digest.credentials({ method: 'REGISTER', uri }),
          ],
          body: Buffer.alloc(0),
        }),
        `sip:127.0.0.1:${port}${tcp ? ';transport=tcp' : ''}`,
      )
      if ('failed' in outcome) throw new Error(outcome.detail)
      const { response, request } = outcome
      if (response.status !== 401 || digest.challenged(response, request) !== 'retry') return response
    }
  }
  return { ...carrier, register }
}

/** Waits until the server listens. */
export async function listening(phone: TestPhone): Promise<void> {
  await eventually('the registrar', async () =>
    phone.register().then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
}
