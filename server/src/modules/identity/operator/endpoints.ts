// The console of those who run the installation: organizations, as a whole. None of it reads a record of one.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { Email, IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isTimeZone } from '../../../kernel/values/clock.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { isCurrency } from '../../../kernel/values/money.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { organizationStates } from '../organizations/index.ts'
import { changeOrganizationFacts, createOrganization, moveState, requireOrganization } from './acts.ts'
import { actingOf, own, Reason } from './shared.ts'
import { listOrganizations, type OrganizationRow } from './store.ts'

const Organization = Type.Object({
  organizationId: IntegerId,
  name: Type.String(),
  state: OneOf(organizationStates),
  stateReason: Nullable(Type.String()),
  stateSince: Timestamp,
  closingBy: Nullable(OneOf(['owner', 'operator'])),
  closesAt: Nullable(Timestamp),
  erasedAt: Nullable({ ...Timestamp, description: 'When all of a closed organization was erased that is not kept.' }),
  mailsPerDay: Nullable(Type.Integer({ description: 'Most mails a day; null: as the server says.' })),
  owner: Nullable(Type.Object({ email: Type.String(), name: Type.String() })),
  usage: Type.Object({
    members: Type.Integer(),
    leads: Type.Integer({ description: 'Of live mode, as are texts and calls.' }),
    messages: Type.Integer({ description: 'Of the last 30 days.' }),
    calls: Type.Integer({ description: 'Of the last 30 days.' }),
  }),
  createdAt: Timestamp,
})

const sample: Static<typeof Organization> = {
  organizationId: 2,
  name: 'Example GmbH',
  state: 'active',
  stateReason: null,
  stateSince: '2026-11-21T08:44:00.123Z',
  closingBy: null,
  closesAt: null,
  erasedAt: null,
  mailsPerDay: null,
  owner: { email: 'grace@example.com', name: 'Grace Hopper' },
  usage: { members: 12, leads: 4_211, messages: 902, calls: 88 },
  createdAt: '2026-11-21T08:44:00.123Z',
}

export function presentOrganization(row: OrganizationRow): Static<typeof Organization> {
  return {
    organizationId: row.id,
    name: row.name,
    state: row.state,
    stateReason: row.state_reason,
    stateSince: row.state_since,
    closingBy: row.closing_by,
    closesAt: row.closes_at,
    erasedAt: row.erased_at,
    mailsPerDay: row.mails_per_day,
    owner: row.owner_email === null ? null : { email: row.owner_email, name: row.owner_name ?? '' },
    usage: { members: row.members, leads: row.leads, messages: row.messages, calls: row.calls },
    createdAt: row.created_at,
  }
}

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' })
const params = Type.Object({ organizationId: IntegerId })
const sampleParams = { organizationId: 2 }

export const listAllOrganizations = endpoint({
  ...own,
  id: 'operator_organizations.list',
  method: 'GET',
  path: '/operator/organizations',
  operator: 'support',
  name: 'List organizations',
  description:
    'All organizations of the installation, the oldest first, with state, owner and how much there is of them. No record of theirs.',
  query: Type.Object({
    state: Type.Optional(OneOf(organizationStates)),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'A part of the name, or of the e-mail of the owner.' }),
    ),
    ...v2PageQuery,
  }),
  reply: Organization,
  envelope: 'page',
  sample: { query: { state: 'active' }, reply: sample },
  async handle({ query: { limit = 50, cursor, state, q }, services }) {
    const filter = { state, q }
    const behind = readCursor(cursor, filter, 'integer')?.[0]
    const rows = await listOrganizations(services.db, { state, words: q, behind, limit: limit + 1 })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentOrganization), limit, nextCursor: cut.nextCursor }
  },
})

export const createAnyOrganization = endpoint({
  ...own,
  id: 'operator_organizations.create',
  method: 'POST',
  path: '/operator/organizations',
  operator: 'full',
  name: 'Create an organization',
  description:
    'Makes an organization with its live and test tenant. Its first Admin, who owns it, is the account of the address; somebody without an account ' +
    'gets a mail with a link that sets a password, which is shown this once as well.',
  status: 201,
  audit: 'organization.created',
  body: Type.Object({
    name: Name,
    owner: Type.Object({ email: Email, name: Name }),
    timeZone: Type.Optional(Type.String({ maxLength: 64 })),
    currency: Type.Optional(Type.String({ maxLength: 3 })),
  }),
  check: ({ body }) => faultsOf(body),
  reply: Type.Object({
    ...Organization.properties,
    ownerUserId: IntegerId,
    passwordUrl: Nullable(Type.String({ description: 'By which a new owner sets a password, within seven days.' })),
  }),
  envelope: 'data',
  sample: {
    body: {
      name: 'Example GmbH',
      owner: { email: 'grace@example.com', name: 'Grace Hopper' },
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
    },
    reply: { ...sample, ownerUserId: 12, passwordUrl: 'https://crm.example.com/reset#EXAMPLE' },
  },
  async handle({ body, services, ...context }) {
    const { name, owner, timeZone, currency } = body
    const given = {
      name: name.trim(),
      ownerEmail: accountEmail(owner.email),
      ownerName: owner.name.trim(),
      timeZone,
      currency,
    }
    const made = await createOrganization(services, given, actingOf(context))
    return { ...presentOrganization(made.organization), ownerUserId: made.ownerUserId, passwordUrl: made.passwordUrl }
  },
})

function faultsOf({ timeZone, currency }: { timeZone?: string; currency?: string }): FieldFault[] {
  const faults: FieldFault[] = []
  const refuse = (field: string, message: string) => faults.push({ field, code: 'not_allowed', message })
  if (timeZone !== undefined && !isTimeZone(timeZone))
    refuse('timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  if (currency !== undefined && !isCurrency(currency)) refuse('currency', 'must be an ISO 4217 code, such as EUR')
  return faults
}

export const getAnyOrganization = endpoint({
  ...own,
  id: 'operator_organizations.get',
  method: 'GET',
  path: '/operator/organizations/{organizationId}',
  operator: 'support',
  name: 'Get any organization',
  description: 'One organization with state, owner and how much there is of it.',
  params,
  reply: Organization,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: sampleParams, reply: sample },
  async handle({ params: { organizationId }, services }) {
    return presentOrganization(await requireOrganization(services.db, organizationId))
  },
})

export const updateAnyOrganization = endpoint({
  ...own,
  id: 'operator_organizations.update',
  method: 'PATCH',
  path: '/operator/organizations/{organizationId}',
  operator: 'full',
  name: 'Update any organization',
  description:
    'Changes its name, or how many mails it may send a day: few for those who signed up by themselves, until an operator says otherwise.',
  audit: 'organization.updated',
  params,
  body: Type.Object({
    name: Type.Optional(Name),
    mailsPerDay: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Null: as the server says.' })),
    ),
  }),
  reply: Organization,
  envelope: 'data',
  problems: ['not_found', 'organization_state_conflict'],
  sample: { params: sampleParams, body: { mailsPerDay: 500 }, reply: { ...sample, mailsPerDay: 500 } },
  async handle({ params: { organizationId }, body, services, ...context }) {
    const change = { name: body.name?.trim(), mailsPerDay: body.mailsPerDay }
    return presentOrganization(await changeOrganizationFacts(services, organizationId, change, actingOf(context)))
  },
})

const moves = {
  suspend: [
    'Suspend an organization',
    'suspended',
    'Its people can log in, see their own accounts and the audit log, and export; what comes in is kept, nothing is sent, and calls are refused. Felt on every node within two seconds. Owner and Admins get a mail with the reason.',
  ],
  resume: ['Resume an organization', 'active', 'Ends the suspension; what waited to be sent is sent.'],
  close: [
    'Close an organization',
    'closing',
    'Begins to close it: until the day everything can be read and exported; then it is erased.',
  ],
  reopen: ['Reopen an organization', 'active', 'Takes the closing back, no matter who began it.'],
} as const

const actions = {
  suspend: 'organization.suspended',
  resume: 'organization.resumed',
  close: 'organization.closing_started',
  reopen: 'organization.reopened',
} as const

const moved = (['suspend', 'resume', 'close', 'reopen'] as const).map(event => {
  const [name, state, description] = moves[event]
  return endpoint({
    ...own,
    id: `operator_organizations.${event}`,
    method: 'POST',
    path: `/operator/organizations/{organizationId}/${event}`,
    operator: 'full',
    name,
    description,
    audit: actions[event],
    params,
    body: Type.Object({ reason: event === 'suspend' || event === 'close' ? Reason : Type.Optional(Reason) }),
    reply: Organization,
    envelope: 'data',
    problems: ['not_found', 'organization_state_conflict'],
    sample: { params: sampleParams, body: { reason: 'An invoice is not paid.' }, reply: { ...sample, state } },
    async handle({ params: { organizationId }, body, services, ...context }) {
      return presentOrganization(
        await moveState(services, organizationId, event, body.reason ?? null, actingOf(context)),
      )
    },
  })
})

export const endpoints = [
  listAllOrganizations,
  createAnyOrganization,
  getAnyOrganization,
  updateAnyOrganization,
  ...moved,
]
