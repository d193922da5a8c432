// Removes a person from the organization: says what ends, and how many records of each kind go to whom; then how far that is.
import type { Member, UsersOwnedReply } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useDirectory } from '../nouns/names.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { countText, ErrorState, LoadingRows, toast } from '../ui/index.ts'
import { kindText } from './hand_over_dialog.tsx'
import { useMembersChanged } from './member.ts'
import { keysText } from './saved.ts'
import styles from './users.module.css'

export type RemoveDialogProps = { member: Member; onClose(): void }

export function RemoveDialog({ member: { userId, name }, onClose }: RemoveDialogProps) {
  const api = useApi()
  const navigate = useNavigate()
  const changed = useMembersChanged()
  const { user } = useSession()
  const id = userId ?? 0
  const [heir, setHeir] = useState(String(user.id))
  const owned = useQuery({
    queryKey: ['live', 'owned by', id],
    queryFn: ({ signal }) => api.users.owned({ id }, { signal }),
    gcTime: 0,
  })
  const remove = useMutation({
    mutationFn: () => api.users.remove({ id, transferTo: Number(heir) }),
    onSuccess({ handOver, endedKeys }) {
      onClose()
      toast({ text: `${name} is no member any more.${keysText(endedKeys)}` })
      // The list shows how far it is: neither the row nor the page of who left stands any more.
      void navigate({
        to: '/users' as '/',
        search: ((old: object) => ({ ...old, edit: undefined, hand_over: handOver.handOverId })) as never,
        replace: true,
      })
      changed()
    },
  })
  const faults = useFormFaults(remove.error, ['transferTo'])
  return (
    <FormDialog
      title={`Remove ${name}`}
      description="They are logged out within two seconds and cannot log in to this organization any more. Their account, and what they are elsewhere, stays."
      className={record['form']}
      faults={faults}
      action="Remove"
      danger
      busy={remove.isPending}
      disabled={heir === '' || owned.data === undefined}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={record['wide']}>
        {owned.isPending ? (
          <LoadingRows label="Counting what they own" rows={3} />
        ) : owned.data === undefined ? (
          <ErrorState error={owned.error} onRetry={() => void owned.refetch()} />
        ) : (
          <Owned owned={owned.data} />
        )}
      </div>
      <HeirField
        leaver={id}
        value={heir}
        error={faults.fields['transferTo']}
        onChange={chosen => {
          faults.mend('transferTo')
          setHeir(chosen)
        }}
      />
    </FormDialog>
  )
}

function Owned({ owned: { records, ends } }: { owned: UsersOwnedReply }) {
  const ending = [
    [ends.apiKeys, 'API key', 'API keys'],
    [ends.authorizations, 'authorization of an app', 'authorizations of apps'],
    [ends.invitations, 'open invitation', 'open invitations'],
  ] as const
  const texts = ending.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]))
  return (
    <div className={styles['owned']}>
      {records.length === 0 ? (
        <p>They own no records.</p>
      ) : (
        <>
          <p>These go to another member, who gets all of them, those in the trash too:</p>
          <table className={styles['counts']}>
            <caption className="visually-hidden">What goes to another member</caption>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Data</th>
                <th scope="col">How many</th>
              </tr>
            </thead>
            <tbody>
              {records.map(({ kind, mode, count }) => (
                <tr key={kind + mode}>
                  <td>{kindText(kind)}</td>
                  <td>{mode}</td>
                  <td>{countText(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {texts.length > 0 && <p>What ends: {texts.join(', ')}.</p>}
    </div>
  )
}

type HeirFieldProps = { leaver: number; value: string; error: string | undefined; onChange(id: string): void }

function HeirField({ leaver, value, error, onChange }: HeirFieldProps) {
  const { user } = useSession()
  const directory = useDirectory()
  const options = (directory.data ?? [])
    .filter(({ id, active }) => active && id !== leaver)
    .map(({ id, name }) => ({ value: String(id), label: name, ...(id === user.id && { hint: 'you' }) }))
  return (
    <Combobox
      label="Who gets it"
      className={record['wide'] ?? ''}
      hint="Also what would come to them later, until the hand-over is done."
      {...(error !== undefined && { error })}
      isLoading={directory.isPending}
      options={options}
      value={value}
      onChange={onChange}
      placeholder="Type a name"
    />
  )
}
