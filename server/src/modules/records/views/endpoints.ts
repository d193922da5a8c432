// Saved views of lists: columns, filters, order and layout under a name, for oneself or shared with the organization.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Deleted } from '../../../kernel/endpoint/schema.ts'
import { cleanText } from '../../../kernel/values/clean_text.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { listsOf, offerOf } from './offers.ts'
import {
  mayChangeView,
  maySeeView,
  reported,
  type ViewContent,
  type ViewRow,
  viewFaults,
  withoutLost,
} from './rules.ts'
import { DefaultBody, SavedView, sampleView, ViewBody, ViewChange, ViewParams, ViewQuery } from './schemas.ts'
import { changeView, countOwnViews, findView, insertView, listViews, removeView, setDefaultView } from './store.ts'

const v1 = { version: 'v1', category: 'CRM', envelope: 'success' } as const
const maxListed = 500
/** Of one person and one list. */
const maxOwn = 100

/** @param catalog every endpoint, once all are known: views are of lists among them */
export function viewEndpoints(catalog: () => readonly Endpoint[]): readonly Endpoint[] {
  let known: Map<string, Endpoint> | undefined
  const lists = () => {
    known ??= listsOf(catalog())
    return known
  }
  return [
    listEndpoint(lists),
    createEndpoint(lists),
    defaultEndpoint(lists),
    getEndpoint(lists),
    updateEndpoint(lists),
    deleteEndpoint(),
  ]
}

type Lists = () => ReadonlyMap<string, Endpoint>

/** @throws Problem `validation_failed` for a list that there is not, or that the caller may not read */
function requireList(lists: Lists, principal: Principal, noun: string): Endpoint {
  const list = lists().get(noun)
  if (list === undefined)
    throw invalid({
      field: 'noun',
      code: 'not_allowed',
      message: `names no list; there are: ${[...lists().keys()].join(', ')}`,
    })
  if (mayRead(principal, list)) return list
  throw invalid({
    field: 'noun',
    code: 'not_allowed',
    message: `is a list that needs the permission ${list.permission}`,
  })
}

function mayRead({ permissions }: Principal, { permission }: Endpoint): boolean {
  return (permissions as ReadonlySet<string>).has(permission)
}

function present(principal: Principal, list: Endpoint | undefined, row: ViewRow) {
  const { id, noun, name, owner_id, shared, is_default, created_at, updated_at, version } = row
  const empty = { view: { ...row, columns: [], filters: {}, sort: null }, dropped: ['noun'] }
  const { view, dropped } = list === undefined ? empty : withoutLost(offerOf(list), row)
  const { layout, columns, filters, sort, group_by } = view
  const shown = { layout, columns, filters, sort, group_by }
  const may_change = mayChangeView(principal, row)
  const head = { id, noun, name, owner_id, shared }
  return { ...head, ...shown, is_default, may_change, dropped, created_at, updated_at, version }
}

/** As events report it, to anyone who reads the log: without what depends on the caller. */
/** @throws Problem `validation_failed` naming each column and filter that the list does not have */
function checkContent(list: Endpoint, view: ViewContent, sent: object): void {
  const faults = viewFaults(offerOf(list), view)
  // A view that lost something may still be renamed: what was not sent is not refused.
  const wrong = faults.filter(({ field }) => (field.split(/[.[]/)[0] as string) in sent || field === 'group_by')
  if (wrong.length > 0) throw invalid(...wrong)
}

type ColumnInput = { field: string; width?: number | null }
const columnsOf = (columns: readonly ColumnInput[]) => columns.map(({ field, width = null }) => ({ field, width }))

function nameOf(name: string): string {
  const clean = cleanText(name)
  if (clean === null) throw invalid({ field: 'name', code: 'required', message: 'must not be empty' })
  return clean
}

const listEndpoint = (lists: Lists) =>
  endpoint({
    ...v1,
    id: 'views.list',
    method: 'GET',
    path: '/api/views',
    name: 'List saved views',
    description: `Own views, and those shared with the organization, by list and name; at most ${maxListed}. What a view asks for and its list has no longer is left out, and dropped names it.`,
    permission: 'views:read',
    query: ViewQuery,
    reply: Type.Object({ views: Type.Array(SavedView, { description: 'By list and name.' }) }),
    sample: { query: { noun: 'companies' }, reply: { views: [sampleView] } },
    async handle({ tx, query, principal }) {
      if (query.noun !== undefined) requireList(lists, principal, query.noun)
      const seen = [...lists()].filter(([, list]) => mayRead(principal, list)).map(([noun]) => noun)
      const rows = await listViews(tx, principal, query.noun === undefined ? seen : [query.noun], maxListed)
      return { views: rows.map(row => present(principal, lists().get(row.noun), row)) }
    },
  })

const createEndpoint = (lists: Lists) =>
  endpoint({
    ...v1,
    versioned: true,
    id: 'views.create',
    method: 'POST',
    path: '/api/views',
    name: 'Create a saved view',
    description:
      'Saves how a list is looked at: columns with their order and width, filters, order, and whether it is a list or a board. Columns and filters are those of the list; one that it does not have is refused by name. Writes view.created.',
    permission: 'views:write',
    status: 201,
    body: ViewBody,
    reply: Type.Object({ view: SavedView }),
    sample: {
      body: {
        noun: 'companies',
        name: 'Own retailers',
        columns: [{ field: 'name', width: 240 }, { field: 'industry' }],
        filters: { industry: 'Retail', owner_id: 'me' },
        sort: '-created_at,name',
      },
      reply: { view: sampleView },
    },
    async handle({ tx, body, principal, now, setVersion }) {
      const list = requireList(lists, principal, body.noun)
      const { noun, shared = false, layout = 'list', columns = [], filters = {}, sort = null, group_by = null } = body
      const content: ViewContent = { layout, columns: columnsOf(columns), filters, sort, group_by }
      checkContent(list, content, { ...content })
      if ((await countOwnViews(tx, principal, noun)) >= maxOwn)
        throw invalid({ field: 'noun', code: 'too_many', message: `has ${maxOwn} views of yours; delete one first` })
      const at = isoMs(now)
      const row: ViewRow = {
        ...{ tenant_id: principal.tenantId, id: newId('viw', now), noun, owner_id: principal.userId },
        ...{
          name: nameOf(body.name),
          shared,
          ...content,
          version: 1,
          created_at: at,
          updated_at: at,
          is_default: false,
        },
      }
      await insertView(tx, row)
      await emitChange(tx, principal, { type: 'view.created', resourceId: row.id, record: reported(row) })
      setVersion(1)
      return { view: present(principal, list, row) }
    },
  })

/** @throws Problem `not_found` for views of others, and of lists that the caller may not read */
async function requireView(tx: Tx, principal: Principal, id: string, options = {}): Promise<ViewRow> {
  const row = await findView(tx, principal, id, options)
  if (row === undefined || !maySeeView(principal, row)) throw new Problem('not_found')
  return row
}

const getEndpoint = (lists: Lists) =>
  endpoint({
    ...v1,
    versioned: true,
    id: 'views.get',
    method: 'GET',
    path: '/api/views/{id}',
    name: 'Get a saved view',
    description: 'One view: an own one, or one that is shared with the organization.',
    permission: 'views:read',
    params: ViewParams,
    reply: Type.Object({ view: SavedView }),
    problems: ['not_found'],
    sample: { params: { id: sampleView.id }, reply: { view: sampleView } },
    async handle({ tx, params, principal, setVersion }) {
      const row = await requireView(tx, principal, params.id)
      setVersion(row.version)
      return { view: present(principal, lists().get(row.noun), row) }
    },
  })

/** @throws Problem `not_found`, `version_mismatch`, and `insufficient_role` for who may see it only */
async function lockOwn(tx: Tx, principal: Principal, id: string, ifMatch: number | undefined): Promise<ViewRow> {
  const row = requireVersion(await requireView(tx, principal, id, { locked: true }), ifMatch)
  if (mayChangeView(principal, row)) return row
  throw new Problem('insufficient_role', {
    message: 'A shared view is changed by its owner, an Admin or a Sales Manager. Save one of your own instead.',
  })
}

const updateEndpoint = (lists: Lists) =>
  endpoint({
    ...v1,
    versioned: true,
    id: 'views.update',
    method: 'PATCH',
    path: '/api/views/{id}',
    name: 'Update a saved view',
    description:
      'Changes what is sent; columns and filters take the place of those before. A shared view is changed by its owner, an Admin or a Sales Manager. Writes view.updated.',
    permission: 'views:write',
    params: ViewParams,
    body: ViewChange,
    reply: Type.Object({ view: SavedView }),
    problems: ['not_found', 'insufficient_role'],
    sample: {
      params: { id: sampleView.id },
      body: { shared: true },
      reply: { view: { ...sampleView, shared: true, version: 2 } },
    },
    async handle({ tx, params, body, principal, now, ifMatch, setVersion }) {
      const before = await lockOwn(tx, principal, params.id, ifMatch)
      const list = requireList(lists, principal, before.noun)
      const { columns, name, ...others } = body
      const row: ViewRow = {
        ...before,
        ...others,
        ...(columns !== undefined && { columns: columnsOf(columns) }),
        ...(name !== undefined && { name: nameOf(name) }),
        version: before.version + 1,
        updated_at: isoMs(now),
      }
      checkContent(list, row, body)
      await changeView(tx, row)
      await emitChange(tx, principal, { type: 'view.updated', resourceId: row.id, record: reported(row), change: body })
      setVersion(row.version)
      return { view: present(principal, list, row) }
    },
  })

const deleteEndpoint = () =>
  endpoint({
    ...v1,
    versioned: true,
    id: 'views.delete',
    method: 'DELETE',
    path: '/api/views/{id}',
    name: 'Delete a saved view',
    description:
      'Deletes a view for good; lists that opened with it open as they are. A shared one is deleted by its owner, an Admin or a Sales Manager. Writes view.deleted.',
    permission: 'views:write',
    params: ViewParams,
    reply: Deleted('id'),
    problems: ['not_found', 'insufficient_role'],
    sample: { params: { id: sampleView.id }, reply: { id: sampleView.id, deleted: true } },
    async handle({ tx, params, principal, ifMatch }) {
      const row = await lockOwn(tx, principal, params.id, ifMatch)
      await removeView(tx, principal, row.id)
      await emitChange(tx, principal, { type: 'view.deleted', resourceId: row.id, record: reported(row) })
      return { id: row.id, deleted: true as const }
    },
  })

const defaultEndpoint = (lists: Lists) =>
  endpoint({
    ...v1,
    id: 'views.set_default',
    method: 'PUT',
    path: '/api/views/default',
    name: 'Set the view that a list opens with',
    description:
      'For the caller alone: the view with which a list opens, an own one or a shared one; null for the list as it is.',
    permission: 'views:write',
    body: DefaultBody,
    reply: DefaultBody,
    sample: {
      body: { noun: 'companies', view_id: null },
      reply: { noun: 'companies', view_id: null },
    },
    async handle({ tx, body: { noun, view_id }, principal }) {
      requireList(lists, principal, noun)
      const row = view_id === null ? undefined : await findView(tx, principal, view_id, { locked: true })
      if (view_id !== null && (row === undefined || row.noun !== noun || !maySeeView(principal, row)))
        throw invalid({ field: 'view_id', code: 'not_found', message: `names no view of ${noun} that you may see` })
      await setDefaultView(tx, principal, noun, view_id)
      return { noun, view_id }
    },
  })
