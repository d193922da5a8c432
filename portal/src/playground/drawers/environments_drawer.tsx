// The environments of the team and one's own: chosen, written, shared. Values of secret variables are typed here too, and stay in the page.
import type { Environment } from '@tandem/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { isStale } from '../../forms/faults.ts'
import { apiOf } from '../../session/api.ts'
import { Button, Chip, ConfirmDialog, Drawer, EmptyState, useToast } from '../../ui/index.ts'
import { refreshEnvironments, useEnvironments, useRights } from '../collections/queries.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import styles from './drawers.module.css'
import { EnvironmentForm } from './environment_form.tsx'

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
      title={editing === undefined ? 'Environments' : editing === 'new' ? 'New environment' : editing.name}
      description="Named sets of variables. The values of secret ones are never sent to the server: everybody fills in their own, and they are gone when the page is closed."
      footer={
        editing === undefined && writes ? (
          <Button size="sm" icon={<Plus size={14} />} onClick={() => setEditing('new')}>
            New environment
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
        <EmptyState
          title="No environments yet"
          text="Put addresses, ids and numbers that change from place to place into one, and switch between them."
        />
      ) : (
        <ul className={styles['list']}>
          {data.map(each => (
            <li key={each.environmentId} className={styles['pair']}>
              <button type="button" className={styles['row']} onClick={() => setEditing(each)}>
                <span className={styles['target']}>
                  <b>{each.name}</b>{' '}
                  <span className={styles['faint']}>
                    {`${each.variables.length} ${each.variables.length === 1 ? 'variable' : 'variables'}`}
                  </span>
                </span>
                {each.mode !== null && <Chip>{`${each.mode} mode`}</Chip>}
                <Chip tone={each.shared ? 'info' : 'neutral'}>{each.shared ? 'Shared' : 'Private'}</Chip>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={next => !next && setDeleting(undefined)}
        title={`Delete ${deleting?.name ?? ''}?`}
        description={
          deleting?.shared === true ? 'It is gone for everybody in the organization.' : 'Its variables go with it.'
        }
        confirmLabel="Delete"
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
      toast({ text: `${name} is deleted.`, action: { label: 'Undo', onSelect: () => void restore() } })
    } catch (error) {
      const text = isStale(error) ? `${name} was changed meanwhile. Look at it again before you delete it.` : undefined
      toast({ text: text ?? (error instanceof Error ? error.message : 'It could not be deleted.'), tone: 'bad' })
      await refreshEnvironments()
    }
  }
}
