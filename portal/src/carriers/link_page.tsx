// The page of what connects to a carrier (of messages or of calls): its name, what can be done with it (change, switch off and
// on, delete), and the form while it is changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, LoadingRows, PageHeader, TextLink, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Link = { name: string; enabled: boolean }

/** Whether the address asks for the form, and the person may have it. */
export function useLinkEditing(kind: 'carrier' | 'trunk') {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has(`${kind}s:manage`)
  return {
    mayManage,
    isEditing: mayManage && params['edit'] !== undefined,
    begin: () => change({ edit: '1' }, { push: true }),
    end: () => change({ edit: undefined }),
  }
}

export type LinkPageProps<Of extends Link> = {
  kind: 'carrier' | 'trunk'
  title: string
  id: string
  /** Undefined until it is read. */
  link: Of | undefined
  editing: ReturnType<typeof useLinkEditing>
  form(link: Of, on: { onCancel(): void; onDone(saved: Of): void }): ReactNode
  /** Before what can be done with it. */
  actions?: ReactNode
  /** What becomes of traffic when it is switched off or deleted. */
  offText(link: Of): string
  deleteText(link: Of): string
  /** What happens once it is on. */
  onText(name: string): string
  turn(enabled: boolean): Promise<Of>
  remove(): Promise<unknown>
  /** The lists that a change of it makes stale. */
  forget(): unknown
  children: ReactNode
}
export function LinkPage<Of extends Link>(props: LinkPageProps<Of>) {
  const { kind, title, id, link, editing, form, actions, children } = props
  const { mode } = useSession()
  const cache = useQueryClient()
  const crumbs = (
    <>
      <TextLink to={`/${kind}s`}>{t(`all.${kind}`)}</TextLink> / <code>{id}</code>
      <CopyButton text={id} label={t('copyId')} />
    </>
  )
  if (editing.isEditing && link !== undefined)
    return (
      <>
        <PageHeader title={t('editName', { name: link.name })} description={crumbs} />
        <Suspense fallback={<LoadingRows label={t('loadingForm')} rows={4} />}>
          {form(link, {
            onCancel: editing.end,
            onDone(saved) {
              cache.setQueryData([mode, kind, id], saved)
              toast({ text: t('saved', { name: saved.name }) })
              editing.end()
            },
          })}
        </Suspense>
      </>
    )
  return (
    <>
      <PageHeader
        title={link?.name ?? title}
        description={crumbs}
        actions={
          <>
            {actions}
            {editing.mayManage && link !== undefined && (
              <>
                <Button onClick={editing.begin}>{t('edit')}</Button>
                <Switch {...props} link={link} />
                <DeleteButton {...props} link={link} />
              </>
            )}
          </>
        }
      />
      {children}
    </>
  )
}

type ButtonProps<Of extends Link> = LinkPageProps<Of> & { link: Of }

function Switch<Of extends Link>({ kind, id, link, offText, onText, turn, forget }: ButtonProps<Of>) {
  const { mode } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const turning = useMutation({
    mutationFn: () => turn(!link.enabled),
    onSuccess: saved => {
      setAsked(false)
      cache.setQueryData([mode, kind, id], saved)
      forget()
      toast({ text: saved.enabled ? onText(saved.name) : t('off', { name: saved.name }) })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <>
      <Button busy={turning.isPending} onClick={() => (link.enabled ? setAsked(true) : turning.mutate())}>
        {t(link.enabled ? 'switchOff' : 'switchOn')}
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={t('offTitle', { name: link.name })}
          description={offText(link)}
          confirmLabel={t('switchOff')}
          busy={turning.isPending}
          onConfirm={() => turning.mutate()}
        />
      )}
    </>
  )
}

function DeleteButton<Of extends Link>({ kind, link, deleteText, remove, forget }: ButtonProps<Of>) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toast({ text: t('deleted', { name: link.name }) })
      void navigate({ to: `/${kind}s`, search: {}, replace: true }).then(forget)
    },
  })
  return (
    <>
      <Button variant="danger" onClick={() => setAsked(true)}>
        {t('delete')}
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={t('deleteTitle', { name: link.name })}
          description={deleteText(link)}
          confirmLabel={t('delete')}
          typeToConfirm={link.name}
          danger
          busy={removing.isPending}
          {...(removing.error === null ? {} : { error: faultText(removing.error) })}
          onConfirm={() => removing.mutate()}
        />
      )}
    </>
  )
}
