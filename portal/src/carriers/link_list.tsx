// The screen of all that connects to carriers (of messages or of calls): the list, and the form that adds one. They belong to
// live mode.
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeftRight, Plus } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  ListStates,
  type ListStatesProps,
  LoadingRows,
  PageHeader,
  TextLink,
  toast,
} from '../ui/index.ts'

/** What this is of, said in its texts. */
export type LinkWords = {
  /** `trunk`: the path and the permissions are made of it. */
  kind: 'carrier' | 'trunk'
  /** `Trunks` */
  title: string
  description: string
}

export type LinkScreenProps = LinkWords & {
  /** Why test mode has none. */
  liveOnlyText: string
  page(id: string): ReactNode
  list(): ReactNode
}
export function LinkScreen({ kind, title, description, liveOnlyText, page, list }: LinkScreenProps) {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions, mode, setMode } = useSession()
  if (!permissions.has(`${kind}s:read`)) return <Refused title={title} permission={`${kind}s:read`} />
  if (id !== undefined) return page(id)
  if (mode === 'live') return list()
  return (
    <>
      <PageHeader title={title} description={description} />
      <Card>
        <EmptyState
          icon={<ArrowLeftRight size={20} />}
          title={`${title} belong to live mode`}
          text={liveOnlyText}
          action={
            <Button variant="primary" onClick={() => setMode('live')}>
              Switch to live mode
            </Button>
          }
        />
      </Card>
    </>
  )
}

/** Whether the address asks for the form that adds one, and the person may have it. */
export function useLinkCreating(kind: LinkWords['kind']) {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has(`${kind}s:manage`)
  return {
    mayManage,
    isCreating: mayManage && params['create'] !== undefined,
    begin: () => change({ create: '1' }, { push: true }),
    end: () => change({ create: undefined }),
  }
}

type Link = { name: string; state: string }

export type LinkListProps<Of extends Link> = LinkWords & {
  creating: ReturnType<typeof useLinkCreating>
  query: ListStatesProps['query']
  links: readonly Of[]
  idOf(link: Of): string
  columns: readonly Column<Of>[]
  subline(link: Of): ReactNode
  /** What the first one changes. */
  firstText: string
  form(on: { onCancel(): void; onDone(added: Of): void }): ReactNode
  empty: { icon: ReactNode; text: string; action: ReactNode }
}
export function LinkList<Of extends Link>(props: LinkListProps<Of>) {
  const { kind, title, description, creating, query, links, idOf, columns, subline, firstText, form, empty } = props
  const navigate = useNavigate()
  if (creating.isCreating)
    return (
      <>
        <PageHeader
          title={`Create a ${kind}`}
          description={
            <>
              <TextLink to={`/${kind}s`}>All {kind}s</TextLink> / {firstText}
            </>
          }
        />
        <Suspense fallback={<LoadingRows label="Loading the form" rows={4} />}>
          {form({
            onCancel: creating.end,
            onDone(added) {
              toast({ text: `${added.name} was added.` })
              void navigate({ to: `/${kind}s/$id`, params: { id: idOf(added) }, search: {}, replace: true })
            },
          })}
        </Suspense>
      </>
    )
  const addButton = creating.mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={creating.begin}>
      Create a {kind}
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader title={title} description={description} actions={addButton} />
      <Card flush>
        <ListStates
          label={`Loading ${kind}s`}
          query={query}
          isEmpty={links.length === 0}
          isFiltered={false}
          onClearFilters={() => undefined}
          empty={{
            icon: empty.icon,
            title: `No ${kind} yet`,
            text: empty.text,
            action: (
              <>
                {addButton}
                {empty.action}
              </>
            ),
          }}
        >
          <DataTable
            caption={title}
            columns={columns}
            rows={links}
            rowKey={idOf}
            rowLink={link => ({ to: `/${kind}s/$id`, params: { id: idOf(link) } })}
            openLabel={({ name, state }) => `Open ${name}, ${state}`}
            subline={subline}
          />
        </ListStates>
      </Card>
    </>
  )
}
