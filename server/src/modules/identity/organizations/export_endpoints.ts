// All that an organization has, as one archive: asked for, made behind the answer, kept for a week.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { FileBytes, IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { seesAllRows } from '../../../kernel/noun/registry.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { exportsQueue } from './export_jobs.ts'
import { type ExportRow, exportStates, findExport, insertExport, listExports } from './export_store.ts'
import { lockOrganization } from './store.ts'

const Export = Type.Object({
  exportId: Type.String(),
  state: OneOf(exportStates),
  askedBy: IntegerId,
  sizeBytes: Nullable(Type.Integer({ description: 'Of the archive.' })),
  sha256: Nullable(Type.String({ description: 'Of the archive, in hexadecimal.' })),
  rows: Nullable(Type.Integer({ description: 'Rows in it, of both modes.' })),
  files: Nullable(Type.Integer({ description: 'Attachments and recordings in it.' })),
  error: Nullable(Type.String({ description: 'Why it could not be made.' })),
  createdAt: Timestamp,
  readyAt: Nullable(Timestamp),
  expiresAt: Nullable({ ...Timestamp, description: 'Until when it can be downloaded: for a week.' }),
})

const sampleId = 'oex_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sample: Static<typeof Export> = {
  exportId: sampleId,
  state: 'ready',
  askedBy: 1,
  sizeBytes: 183_412,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  rows: 4_211,
  files: 12,
  error: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  readyAt: '2026-11-21T08:44:03.123Z',
  expiresAt: '2026-11-28T08:44:03.123Z',
}

function presentExport(row: ExportRow) {
  return {
    exportId: row.id,
    state: row.state,
    askedBy: row.asked_by,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    rows: row.rows,
    files: row.files,
    error: row.error,
    createdAt: row.created_at,
    readyAt: row.ready_at,
    expiresAt: row.expires_at,
  }
}

/** It holds the records of everybody. @throws Problem `insufficient_role` */
function refusePartial(principal: Principal): void {
  if (seesAllRows(principal)) return
  throw new Problem('insufficient_role', {
    message: 'The archive holds records of everybody, and your role sees only a part of them. Let an Admin ask for it.',
  })
}

const own = {
  version: 'v2',
  category: 'Organization',
  permission: 'organization:export',
  whileSuspended: true,
} as const

export const createExport = endpoint({
  ...own,
  id: 'organization_exports.create',
  method: 'POST',
  path: '/organization/exports',
  name: 'Export the organization',
  description:
    'Puts all that the organization has, in both modes, into one archive (tar, gzip): a folder of NDJSON files for each table, one line a row, ' +
    'and the files of attachments and recordings. Without secrets. It is made behind the answer, and kept for a week. One at a time.',
  shared: true,
  recent: 'login',
  status: 201,
  audit: 'organization.export_asked',
  reply: Export,
  envelope: 'data',
  problems: ['export_under_way'],
  sample: {
    reply: {
      ...sample,
      state: 'queued',
      sizeBytes: null,
      sha256: null,
      rows: null,
      files: null,
      readyAt: null,
      expiresAt: null,
    },
  },
  async handle({ tx, principal, now, services, afterCommit }) {
    refusePartial(principal)
    await lockOrganization(tx, principal)
    const standing = await listExports(tx, principal)
    if (standing.some(({ state }) => state === 'queued' || state === 'running')) throw new Problem('export_under_way')
    const row = await insertExport(tx, principal, {
      id: newId('oex', now),
      asked_by: principal.userId,
      created_at: isoMs(now),
    })
    const record = presentExport(row)
    await emitChange(tx, principal, { type: 'organization.export_asked', resourceId: row.id, record })
    afterCommit(() => services.wake(exportsQueue))
    return record
  },
})

export const listOwnExports = endpoint({
  ...own,
  id: 'organization_exports.list',
  method: 'GET',
  path: '/organization/exports',
  name: 'List exports of the organization',
  description: 'The archives that were asked for, the newest first, fifty at most.',
  reply: Type.Object({ exports: Type.Array(Export) }),
  envelope: 'data',
  sample: { reply: { exports: [sample] } },
  async handle({ tx, principal }) {
    return { exports: (await listExports(tx, principal)).map(presentExport) }
  },
})

export const downloadExport = endpoint({
  ...own,
  id: 'organization_exports.download',
  method: 'GET',
  path: '/organization/exports/{exportId}/file',
  name: 'Get the file of an export',
  description: 'The archive, once its state is ready. Is itself an event of the audit log.',
  audit: 'organization.export_downloaded',
  params: Type.Object({ exportId: RecordId('oex', 'Identifier of the export.') }),
  reply: FileBytes('The archive: tar, compressed by gzip.'),
  envelope: 'file',
  mediaType: 'application/gzip',
  problems: ['not_found', 'export_not_ready'],
  sample: { params: { exportId: sampleId }, reply: 'H4sIAAAAAAAAA' },
  async handle({ tx, principal, params: { exportId }, services }): Promise<FileReply> {
    refusePartial(principal)
    const row = await findExport(tx, principal, exportId)
    if (row === undefined) throw new Problem('not_found')
    const { state, storage, storage_key: key, size_bytes: size } = row
    const store = storage === null ? undefined : services.objects.at(storage)
    if (state !== 'ready' || key === null || size === null || store === undefined) throw new Problem('export_not_ready')
    return {
      mediaType: 'application/gzip',
      fileName: `organization-${principal.organizationId}-${row.created_at.slice(0, 10)}.tar.gz`,
      asDownload: true,
      size,
      tag: row.sha256 as string,
      open: range => store.read(key, range),
    }
  },
})

export const endpoints = [createExport, listOwnExports, downloadExport]
