// Logging in by the link of a mail, as requests: whether it is offered, the mail, and the token of its link.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Email } from '../../../kernel/endpoint/schema.ts'
import { furtherNeeds, LoginUser, Mode, sampleLogin, TokenReply } from './endpoints.ts'
import { logInByLink, offersLinks, sendLink } from './link.ts'

const common = { version: 'v2', category: 'Authentication', permission: 'public', envelope: 'data' } as const

const Browser = Type.String({
  minLength: 22,
  maxLength: 100,
  description: 'A secret that the program which asks draws at random and keeps: the link is of use with it only.',
})
const sampleBrowser = 'c2FtcGxlLXNlY3JldC1vZi1hLWJyb3dzZXI'

const get = endpoint({
  ...common,
  id: 'auth.sign_in_links',
  method: 'GET',
  path: '/auth/sign-in-links',
  name: 'Get whether links to log in are sent',
  description:
    'Whether any organization of this server lets people log in by the link of a mail. It says nothing of an address.',
  transaction: 'none',
  reply: Type.Object({ offered: Type.Boolean() }),
  sample: { reply: { offered: true } },
  handle: async ({ services }) => ({ offered: await offersLinks(services) }),
})

const request = endpoint({
  ...common,
  id: 'auth.request_sign_in_link',
  method: 'POST',
  path: '/auth/sign-in-links',
  name: 'Request a link to log in',
  description:
    'Sends a mail with a link, good for ten minutes and once, if the address is that of an account whose organization allows it. The ' +
    'answer is the same, as soon, for every address. At most five an hour for an account.',
  bodyLimit: 4_096,
  body: Type.Object({ email: Email, browser: Browser }),
  reply: Type.Object({
    accepted: Type.Literal(true, { description: 'That it was asked for, not that there is such an account.' }),
  }),
  transaction: 'none',
  sample: { body: { email: 'grace@example.com', browser: sampleBrowser }, reply: { accepted: true } },
  async handle({ body, now, services }) {
    sendLink(services, { ...body, nowMs: now })
    return { accepted: true as const }
  },
})

const confirm = endpoint({
  ...common,
  id: 'auth.log_in_with_link',
  method: 'POST',
  path: '/auth/sign-in-links/confirm',
  name: 'Log in with a link',
  description:
    'Exchanges the token of the mail, which is behind the # of its link, and the secret that was sent when it was asked for, for an ' +
    'access token. It stands for the password: a second factor is asked for as ever.',
  idempotent: false,
  bodyLimit: 4_096,
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }), browser: Browser, mode: Mode }),
  reply: Type.Object({ ...TokenReply, user: LoginUser }),
  transaction: 'none',
  audit: 'user.signed_in',
  problems: ['link_expired', ...furtherNeeds],
  sample: {
    body: { token: 'Zk1lWm5zYW1wbGV0b2tlbm9mYW1haWwtc2FtcGxldG9r', browser: sampleBrowser },
    reply: sampleLogin,
  },
  async handle({ body: { mode = 'live', ...sent }, now, ip, asked, services }) {
    const { user, sessions } = await logInByLink(services, { ...sent, modes: [mode], from: { ip, asked }, nowMs: now })
    return { ...sessions[0]!, user }
  },
})

export const endpoints = [get, request, confirm]
