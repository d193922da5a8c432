// The environments of the team and one's own: chosen, written, shared. Values of secret variables are typed here too, and stay in the page.
import type { Environment } from '@tandem/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { isStale } from '../../forms/faults.ts'
import { apiOf } from '../../session/api.ts'
import { faultText } from '../../ui/faults.ts'
import { Button, Chip, ConfirmDialog, Drawer, EmptyState, useToast } from '../../ui/index.ts'
import { refreshEnvironments, useEnvironments, useRights } from '../collections/queries.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import styles from './drawers.module.css'
import { EnvironmentForm } from './environment_form.tsx'
import { t } from './texts.ts'

export type EnvironmentsDrawerProps = {
  open: boolean
  onOpenChange(open: boolean): void
  environment: EnvironmentState
}

export function EnvironmentsDrawer({ open, onOpenChange, environment }: EnvironmentsDrawerProps) {
  const { writes } = useRights()
  const { data = [], isPending } = useEnvironments()
  const [editing, setEditing] = useState<Environment | 'new'>()
  const [deleting, setDeleting] = useState<Environment>()
  const remove = useRemoval(() => setEditing(undefined))
  const close = (next: boolean) => {
    if (!next) setEditing(undefined)
    onOpenChange(next)
  }
  return (
    <Drawer
      open={open}
      onOpenChange={close}
      title={editing === undefined ? t('environments') : editing === 'new' ? t('newEnvironment') : editing.name}
      description={t('environmentsAbout')}
      footer={
        editing === undefined && writes ? (
          <Button size="sm" icon={<Plus size={14} />} onClick={() => setEditing('new')}>
            {t('newEnvironment')}
          </Button>
        ) : undefined
      }
    >
      {editing !== undefined ? (
        <EnvironmentForm
          key={editing === 'new' ? 'new' : `${editing.environmentId} ${editing.version}`}
          environment={editing === 'new' ? undefined : editing}
          onDone={made => {
            setEditing(undefined)
            if (editing === 'new' && made !== undefined) environment.choose(made.environmentId)
          }}
          onReload={setEditing}
          onDelete={editing === 'new' || !editing.mayChange ? undefined : () => setDeleting(editing)}
        />
      ) : data.length === 0 && !isPending ? (
        <EmptyState title={t('noEnvironments')} text={t('noEnvironmentsText')} />
      ) : (
        <ul className={styles['list']}>
          {data.map(each => (
            <li key={each.environmentId} className={styles['pair']}>
              <button type="button" className={styles['row']} onClick={() => setEditing(each)}>
                <span className={styles['target']}>
                  <b>{each.name}</b>{' '}
                  <span className={styles['faint']}>{t('variableCount', { count: each.variables.length })}</span>
                </span>
                {each.mode !== null && <Chip>{t(`mode.${each.mode}`)}</Chip>}
                <Chip tone={each.shared ? 'info' : 'neutral'}>{t(each.shared ? 'shared' : 'private')}</Chip>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={next => !next && setDeleting(undefined)}
        title={t('deleteNamed', { name: deleting?.name ?? '' })}
        description={t(deleting?.shared === true ? 'deleteSharedEnvironment' : 'deleteEnvironmentText')}
        confirmLabel={t('delete')}
        danger
        onConfirm={() => {
          setDeleting(undefined)
          if (deleting !== undefined) void remove(deleting)
        }}
      />
    </Drawer>
  )
}

/** Deletes an environment, and offers to take that back. */
function useRemoval(onGone: () => void) {
  const toast = useToast()
  return async (doomed: Environment) => {
    const { environmentId, version, name, mode, variables, shared } = doomed
    try {
      await apiOf('live').environments.delete({ environmentId }, { ifMatch: version })
      await refreshEnvironments()
      onGone()
      const restore = async () => {
        await apiOf('live').environments.create({ name, mode, variables, shared })
        await refreshEnvironments()
      }
      toast({ text: t('deleted', { name }), action: { label: t('undo'), onSelect: () => void restore() } })
    } catch (error) {
      const text = isStale(error) ? t('deleteStale', { name }) : undefined
      toast({ text: text ?? (error instanceof Error ? faultText(error) : t('notDeleted')), tone: 'bad' })
      await refreshEnvironments()
    }
  }
}
