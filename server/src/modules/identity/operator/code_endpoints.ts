// Codes with which operators let somebody make an organization: made, seen, taken back.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { Deleted, Nullable, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { type CodeRow, listCodes } from './code_store.ts'
import { makeCode, removeCode } from './codes.ts'
import { actingOf, own } from './shared.ts'

const Code = Type.Object({
  codeId: Type.String(),
  note: Nullable(Type.String({ description: 'For whom it is.' })),
  expiresAt: Timestamp,
  usedAt: Nullable(Timestamp),
  organizationId: Nullable(Type.Integer({ description: 'What was made with it.' })),
  createdAt: Timestamp,
})

const codeId = 'oco_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sampleCode: Static<typeof Code> = {
  codeId,
  note: 'Grace, Example GmbH',
  expiresAt: '2026-12-05T08:44:00.123Z',
  usedAt: null,
  organizationId: null,
  createdAt: '2026-11-21T08:44:00.123Z',
}

function presentCode(row: CodeRow): Static<typeof Code> {
  return {
    codeId: row.id,
    note: row.note,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    organizationId: row.organization_id,
    createdAt: row.created_at,
  }
}

export const createCode = endpoint({
  ...own,
  id: 'organization_codes.create',
  method: 'POST',
  path: '/operator/organization-codes',
  operator: 'full',
  name: 'Create an organization code',
  description:
    'Who has it may make one organization, once, unless sign-up is closed (`TANDEM_SIGN_UP`). It is shown this once.',
  status: 201,
  body: Type.Object({
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'For whom it is.' })),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, default: 14, description: 'For how many days it is good.' }),
    ),
  }),
  reply: Type.Object({ ...Code.properties, code: Type.String() }),
  envelope: 'data',
  sample: { body: { note: 'Grace, Example GmbH', days: 14 }, reply: { ...sampleCode, code: 'org_EXAMPLE' } },
  async handle({ body: { note, days = 14 }, services, ...context }) {
    const { code, ...row } = await makeCode(services.db, { note: note ?? null, days }, actingOf(context))
    return { ...presentCode(row), code }
  },
})

export const listAllCodes = endpoint({
  ...own,
  id: 'organization_codes.list',
  method: 'GET',
  path: '/operator/organization-codes',
  operator: 'support',
  name: 'List organization codes',
  description: 'The newest first, with what was made with them; never the codes.',
  query: Type.Object({ ...v2PageQuery }),
  reply: Code,
  envelope: 'page',
  sample: { reply: sampleCode },
  async handle({ query: { limit = 50, cursor }, services }) {
    const rows = await listCodes(services.db, { beforeId: cursorId('oco', cursor, {}), limit: limit + 1 })
    const cut = cutPage(rows, limit, row => [row.id], {})
    return { items: cut.rows.map(presentCode), limit, nextCursor: cut.nextCursor }
  },
})

export const removeOneCode = endpoint({
  ...own,
  id: 'organization_codes.remove',
  method: 'DELETE',
  path: '/operator/organization-codes/{codeId}',
  operator: 'full',
  name: 'Remove an organization code',
  description: 'Nobody can use it any more. One that was used stays in the list.',
  params: Type.Object({ codeId: RecordId('oco', 'Identifier of the code.') }),
  reply: Deleted('codeId'),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { codeId }, reply: { codeId, deleted: true } },
  async handle({ params, services, ...context }) {
    await removeCode(services.db, params.codeId, actingOf(context))
    return { codeId: params.codeId, deleted: true as const }
  },
})

export const endpoints = [createCode, listAllCodes, removeOneCode]
