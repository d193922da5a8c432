// The organization's settings: what its time zone, currency and home country are, and how leads and invoices behave.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isTimeZone } from '../../../kernel/values/clock.ts'
import { isCurrency } from '../../../kernel/values/money.ts'
import { isCountry } from '../../../kernel/values/phone.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { insertRevocation } from '../login/index.ts'
import { changeOrganization, findOrganization, findTenants, lockOrganization, type OrganizationRow } from './store.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' })
const TimeZone = Type.String({
  maxLength: 64,
  description:
    'IANA time zone, such as Europe/Berlin: decides when an invoice is overdue and to which year it belongs.',
})
const Currency = Type.String({ maxLength: 3, description: 'ISO 4217 code used where none is given, such as EUR.' })
const Country = Nullable(
  Type.String({
    maxLength: 2,
    description: 'ISO 3166 code, such as DE: telephone numbers without + are read as of there; null refuses them.',
  }),
)
const DuplicateMode = OneOf(['block', 'warn', 'off'], {
  description:
    'What happens when a lead with the same e-mail or phone exists: refused, created and reported, or nothing.',
})
const InvoiceNumbering = OneOf(['on_create', 'on_issue'], {
  description: 'When an invoice takes its number: as a draft, or when it is issued.',
})
const TenantOf = Type.Object({ tenantId: IntegerId })

export const Organization = Type.Object({
  organizationId: IntegerId,
  name: Name,
  timeZone: TimeZone,
  currency: Currency,
  defaultCountry: Country,
  duplicateMode: DuplicateMode,
  invoiceNumbering: InvoiceNumbering,
  state: OneOf(['active', 'suspended', 'closing'], {
    description:
      'Suspended by the operator: people log in, see their own account and the audit log, and export. Closing: all can be read until the day.',
  }),
  stateReason: Nullable(Type.String({ description: 'Why it is suspended or closing.' })),
  closesAt: Nullable({ ...Timestamp, description: 'When an organization that is closing is closed, and erased.' }),
  ownerUserId: Nullable(
    Type.Integer({ description: 'The one member who may close it or hand it over; null until it has an Admin.' }),
  ),
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
  createdAt: Timestamp,
  tenants: Type.Object({ live: TenantOf, test: TenantOf }, { description: 'Test data lives in a tenant of its own.' }),
})

const sampleOrganization: Static<typeof Organization> = {
  organizationId: 1,
  name: 'Example GmbH',
  timeZone: 'Europe/Berlin',
  currency: 'EUR',
  defaultCountry: 'DE',
  duplicateMode: 'warn',
  invoiceNumbering: 'on_create',
  state: 'active',
  stateReason: null,
  closesAt: null,
  ownerUserId: 1,
  version: 1,
  createdAt: '2026-11-21T08:44:00.123Z',
  tenants: { live: { tenantId: 1 }, test: { tenantId: 2 } },
}

function presentOrganization(row: OrganizationRow, tenants: { live: number; test: number }) {
  return {
    organizationId: row.id,
    name: row.name,
    timeZone: row.time_zone,
    currency: row.currency,
    defaultCountry: row.default_country,
    duplicateMode: row.duplicate_mode,
    invoiceNumbering: row.invoice_numbering,
    state: row.state,
    stateReason: row.state_reason,
    closesAt: row.closes_at,
    ownerUserId: row.owner_user_id,
    version: row.version,
    createdAt: row.created_at,
    tenants: { live: { tenantId: tenants.live }, test: { tenantId: tenants.test } },
  }
}

export const getOrganization = endpoint({
  id: 'organization.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/organization',
  name: 'Get the organization',
  description: 'The organization of the credential, its settings and its two tenants, with an ETag for a later change.',
  permission: 'organization:read',
  whileSuspended: true,
  reply: Organization,
  envelope: 'data',
  versioned: true,
  sample: { reply: sampleOrganization },
  async handle({ tx, principal, setVersion }) {
    const [row, tenants] = await Promise.all([findOrganization(tx, principal), findTenants(tx, principal)])
    setVersion(row.version)
    return presentOrganization(row, tenants)
  },
})

export const updateOrganization = endpoint({
  id: 'organization.update',
  version: 'v2',
  category: 'Organization',
  method: 'PATCH',
  path: '/organization',
  name: 'Update the organization',
  description:
    'Changes settings for live and test mode alike, and so is done in live mode. They hold on every node within two ' +
    'seconds, for what is made from then on.',
  permission: 'organization:update',
  audit: 'organization.updated',
  shared: true,
  body: Type.Object({
    name: Type.Optional(Name),
    timeZone: Type.Optional(TimeZone),
    currency: Type.Optional(Currency),
    defaultCountry: Type.Optional(Country),
    duplicateMode: Type.Optional(DuplicateMode),
    invoiceNumbering: Type.Optional(InvoiceNumbering),
  }),
  check: ({ body }) => faultsOf(body),
  reply: Organization,
  envelope: 'data',
  versioned: true,
  sample: { body: { timeZone: 'Europe/Berlin', currency: 'EUR' }, reply: sampleOrganization },
  async handle({ tx, principal, body, ifMatch, setVersion, afterCommit, services }) {
    await lockOrganization(tx, principal)
    const standing = requireVersion(await findOrganization(tx, principal), ifMatch)
    const change = {
      name: body.name?.trim(),
      time_zone: body.timeZone,
      currency: body.currency,
      default_country: body.defaultCountry,
      duplicate_mode: body.duplicateMode,
      invoice_numbering: body.invoiceNumbering,
    }
    const [row, tenants] = await Promise.all([
      changeOrganization(tx, principal, change),
      findTenants(tx, principal),
      insertRevocation(tx, 'organization', principal.organizationId),
    ])
    // Nodes keep settings with every principal they know.
    afterCommit(() => services.authenticator.forget())
    setVersion(row.version)
    const record = presentOrganization(row, tenants)
    const before = presentOrganization(standing, tenants)
    await emitChange(tx, principal, { type: 'organization.updated', resourceId: row.id, record, change: body, before })
    return record
  },
})

function faultsOf(body: { timeZone?: string; currency?: string; defaultCountry?: string | null }): FieldFault[] {
  const { timeZone, currency, defaultCountry } = body
  const faults: FieldFault[] = []
  const refuse = (field: string, message: string) => faults.push({ field, code: 'not_allowed', message })
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    refuse('timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  }
  if (currency !== undefined && !isCurrency(currency)) refuse('currency', 'must be an ISO 4217 code, such as EUR')
  if (typeof defaultCountry === 'string' && !isCountry(defaultCountry)) {
    refuse('defaultCountry', 'must be an ISO 3166 code in capitals, such as DE')
  }
  return faults
}

export const endpoints = [getOrganization, updateOrganization]
