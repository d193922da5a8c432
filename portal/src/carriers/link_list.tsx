// The screen of all that connects to carriers (of messages or of calls): its list, the page of one, and the form that adds one in place of
// the list. They belong to live mode.
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { t as tData } from '../data/texts.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useCurrentScreen } from '../navigation/current_screen.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, EmptyState, LoadingRows, PageHeader, TextLink, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export type LinkScreenProps<Item> = {
  of: Resource<Item>
  page: ComponentType<{ id: string }>
  /** Why test mode has none. */
  liveOnlyText: string
  /** What the first one changes. */
  firstText: string
  form(on: { onCancel(): void; onDone(added: Item): void }): ReactNode
}
export function LinkScreen<Item extends { name: string }>(props: LinkScreenProps<Item>) {
  const { of, page, liveOnlyText } = props
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions, mode, setMode } = useSession()
  const [params] = useParamsOfAddress()
  const { name, needs = '' } = useCurrentScreen()
  if (id !== undefined || !permissions.has(needs)) return <ResourceScreen of={of} page={page} />
  if (mode === 'live') {
    const isCreating = params['create'] !== undefined && permissions.has(of.create?.needs ?? '')
    return isCreating ? <NewLink {...props} /> : <ResourceScreen of={of} />
  }
  return (
    <>
      <PageHeader title={name} description={of.about} />
      <Card>
        <EmptyState
          icon={<ArrowLeftRight size={20} />}
          title={t('liveOnly', { name })}
          text={liveOnlyText}
          action={
            <Button variant="primary" onClick={() => setMode('live')}>
              {t('switchToLive')}
            </Button>
          }
        />
      </Card>
    </>
  )
}

function NewLink<Item extends { name: string }>({ of, firstText, form }: LinkScreenProps<Item>) {
  const navigate = useNavigate()
  const [, change] = useParamsOfAddress()
  const { path } = useCurrentScreen()
  return (
    <>
      <PageHeader
        title={of.create?.label ?? ''}
        description={
          <>
            <TextLink to={path}>{tData('all', { things: of.things ?? of.many })}</TextLink> / {firstText}
          </>
        }
      />
      <Suspense fallback={<LoadingRows label={t('loadingForm')} rows={4} />}>
        {form({
          onCancel: () => change({ create: undefined }),
          onDone(added) {
            toast({ text: t('added', { name: added.name }) })
            void navigate({ to: `${path}/$id`, params: { id: String(added[of.id]) }, search: {}, replace: true })
          },
        })}
      </Suspense>
    </>
  )
}
