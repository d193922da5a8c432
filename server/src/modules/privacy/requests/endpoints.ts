// Requests of persons (data subjects): an export of all that is known of them, or its erasure. Asked for here, answered behind it.
import { Type } from 'typebox'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { Email, FileBytes, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { findOrganization } from '../../identity/organizations/index.ts'
import { isHeld, isSame } from '../holds/index.ts'
import { labelOf, type Person, resolvePerson, type Subject, subjectOf } from '../person/index.ts'
import { firstErasureStep } from './erasing.ts'
import { firstExportStep } from './exporting.ts'
import { PrivacyRequest, presentRequest, sampleRequest } from './present.ts'
import { privacyQueue } from './queue.ts'
import { findRequest, insertRequest, listOpen, listRequests, requestKinds } from './store.ts'

const own = { version: 'v2', category: 'Organization' } as const
const { privacyRequestId: sampleId } = sampleRequest
const requestParams = Type.Object({ privacyRequestId: RecordId('dsr', 'Identifier of the request.') })

const createRequest = endpoint({
  ...own,
  id: 'privacy_requests.create',
  method: 'POST',
  path: '/privacy/requests',
  name: "Export or erase a person's data",
  description:
    'Finds all that is known of a person, in the mode of the credential, and puts it into an archive (`export`) or erases it for good (`erasure`): ' +
    'records with their history, notes, tasks and files, messages, calls, recordings, mails, conversations, events, deliveries, logs and ' +
    'names in texts of others. The person is named by a lead or contact, a telephone number or an e-mail address; leads and contacts that became one ' +
    'another, or have an address and the name in common, are the same person. Numbered invoices and payments stay as long as the law asks. It is done behind the ' +
    'answer; an erasure waits for what is under way, and is refused while a legal hold keeps the person.',
  permission: 'privacy_requests:create',
  recent: 'factor',
  keysToo: true,
  audit: 'privacy_request.created',
  status: 201,
  logBody: 'never',
  body: Type.Object({
    kind: OneOf(requestKinds),
    recordId: Type.Optional(Type.String({ maxLength: 40, description: 'A lead (`lead:17`) or a contact (`con_…`).' })),
    phone: Type.Optional(Type.String({ maxLength: 64, description: 'Telephone number, in any usual spelling.' })),
    email: Type.Optional(Email),
    confirm: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'For an erasure, to show that it is meant: the name of the record, or the address once more.',
      }),
    ),
    reason: Type.String({
      minLength: 3,
      maxLength: 500,
      description: 'Why, for those who look later; name nobody in it.',
    }),
  }),
  reply: PrivacyRequest,
  envelope: 'data',
  problems: ['not_found', 'legal_hold', 'privacy_request_under_way'],
  sample: {
    body: { kind: 'export', email: 'ada@example.com', reason: 'Asked for by letter of 20 November.' },
    reply: {
      ...sampleRequest,
      kind: 'export',
      state: 'queued',
      recordId: null,
      about: 'a…@…',
      done: [],
      kept: [],
      finishedAt: null,
    },
  },
  async handle({ tx, principal, body: { kind, reason, confirm, ...asked }, now, services, afterCommit }) {
    const { default_country } = await findOrganization(tx, principal)
    const subject = subjectOf(asked, default_country)
    const person = await resolvePerson(tx, principal, subject)
    if (kind === 'erasure') await refuseErasure(tx, principal, { subject, person, confirm })
    const open = (await listOpen(tx, principal)).filter(other => other.kind === kind)
    if (open.some(other => other.person !== null && isSame(other.person, person)))
      throw new Problem('privacy_request_under_way')
    const row = await insertRequest(
      tx,
      principal,
      {
        id: newId('dsr', now),
        kind,
        record_id: subject.recordId ?? null,
        label: labelOf(subject),
        subject,
        person,
        reason,
        requested_by: principal.userId,
        step: kind === 'export' ? firstExportStep : firstErasureStep,
        kept: kind === 'erasure' && person.shared.length > 0 ? { shared_address: person.shared.length } : {},
      },
      now,
    )
    const record = presentRequest(row)
    await emitChange(tx, principal, { type: 'privacy_request.created', resourceId: row.id, record })
    afterCommit(() => services.wake(privacyQueue))
    return record
  },
})

/** @throws Problem `legal_hold`, or `validation_failed` where what is typed does not say that it is meant */
async function refuseErasure(
  tx: Tx,
  principal: Parameters<typeof isHeld>[1],
  { subject, person, confirm }: { subject: Subject; person: Person; confirm: string | undefined },
): Promise<void> {
  if (await isHeld(tx, principal, person)) throw new Problem('legal_hold')
  const typed = confirm?.trim().toLowerCase()
  const meant =
    subject.recordId === undefined ? [subject.email, subject.phone] : person.names.map(name => name.toLowerCase())
  const digits = (text: string | undefined) => text?.replaceAll(/[^+\d]/g, '')
  const isMeant =
    typed !== undefined && (meant.includes(typed) || (subject.phone !== undefined && digits(typed) === subject.phone))
  if (!isMeant)
    throw invalid({
      field: 'confirm',
      code: confirm === undefined ? 'required' : 'not_allowed',
      message: 'must be the name of the record, or the address that is named, to show that the erasure is meant',
    })
}

const listAll = endpoint({
  ...own,
  id: 'privacy_requests.list',
  method: 'GET',
  path: '/privacy/requests',
  name: 'List requests of persons',
  description:
    'Requests to export or erase what is known of a person, in the mode of the credential, the newest first.',
  permission: 'privacy_requests:read',
  query: Type.Object({
    ...v2PageQuery,
    recordId: Type.Optional(Type.String({ maxLength: 40, description: 'Only those for this lead or contact.' })),
  }),
  reply: PrivacyRequest,
  envelope: 'page',
  sample: { reply: sampleRequest },
  async handle({ tx, principal, query: { limit = 50, cursor, recordId } }) {
    const filters = { recordId }
    const before = cursorId('dsr', cursor, filters)
    const rows = await listRequests(tx, principal, {
      ...(before !== undefined && { before }),
      ...(recordId !== undefined && { recordId }),
      limit: limit + 1,
    })
    const cut = cutPage(rows, limit, ({ id }) => [id], filters)
    return { items: cut.rows.map(presentRequest), limit, nextCursor: cut.nextCursor }
  },
})

const getRequest = endpoint({
  ...own,
  id: 'privacy_requests.get',
  method: 'GET',
  path: '/privacy/requests/{privacyRequestId}',
  name: 'Get a request of a person',
  description: 'How far the request is, what was done, what an erasure left, and what it waits for.',
  permission: 'privacy_requests:read',
  params: requestParams,
  reply: PrivacyRequest,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { privacyRequestId: sampleId }, reply: sampleRequest },
  async handle({ tx, principal, params: { privacyRequestId } }) {
    const row = await findRequest(tx, principal, privacyRequestId)
    if (row === undefined) throw new Problem('not_found')
    return presentRequest(row)
  },
})

const downloadRequest = endpoint({
  ...own,
  id: 'privacy_requests.download',
  method: 'GET',
  path: '/privacy/requests/{privacyRequestId}/file',
  name: 'Get the archive of a person',
  description: 'The archive of an export, once it is completed. Is itself an event of the audit log.',
  permission: 'privacy_requests:create',
  audit: 'privacy_request.downloaded',
  params: requestParams,
  reply: FileBytes('The archive: tar, compressed by gzip.'),
  envelope: 'file',
  mediaType: 'application/gzip',
  problems: ['not_found', 'privacy_export_not_ready'],
  sample: { params: { privacyRequestId: sampleId }, reply: 'H4sIAAAAAAAAA' },
  async handle({ tx, principal, params: { privacyRequestId }, services }): Promise<FileReply> {
    const row = await findRequest(tx, principal, privacyRequestId)
    if (row === undefined) throw new Problem('not_found')
    const { storage, storage_key: key, size_bytes: size } = row
    const store = storage === null ? undefined : services.objects.at(storage)
    if (row.state !== 'completed' || key === null || size === null || store === undefined)
      throw new Problem('privacy_export_not_ready')
    return {
      mediaType: 'application/gzip',
      fileName: `person-${row.created_at.slice(0, 10)}.tar.gz`,
      asDownload: true,
      size,
      tag: row.sha256 as string,
      open: range => store.read(key, range),
    }
  },
})

export const endpoints = [createRequest, listAll, getRequest, downloadRequest]
