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
import { listText } from '../words/format.ts'
import { kindText } from './hand_over_dialog.tsx'
import { useMembersChanged } from './member.ts'
import { t } from './texts.ts'
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
      toast({ text: t('removed', { name, keys: endedKeys }) })
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
      title={t('removeTitle', { name })}
      description={t('removeText')}
      className={record['form']}
      faults={faults}
      action={t('remove')}
      danger
      busy={remove.isPending}
      disabled={heir === '' || owned.data === undefined}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={record['wide']}>
        {owned.isPending ? (
          <LoadingRows label={t('counting')} rows={3} />
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
  const ending = (['apiKeys', 'authorizations', 'invitations'] as const).filter(what => ends[what] > 0)
  const texts = ending.map(what => t(`ends.${what}`, { count: ends[what] }))
  return (
    <div className={styles['owned']}>
      {records.length === 0 ? (
        <p>{t('ownedNone')}</p>
      ) : (
        <>
          <p>{t('ownedText')}</p>
          <table className={styles['counts']}>
            <caption className="visually-hidden">{t('ownedCaption')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('ownedWhat')}</th>
                <th scope="col">{t('ownedData')}</th>
                <th scope="col">{t('ownedCount')}</th>
              </tr>
            </thead>
            <tbody>
              {records.map(({ kind, mode, count }) => (
                <tr key={kind + mode}>
                  <td>{kindText(kind)}</td>
                  <td>{t(`mode.${mode}`)}</td>
                  <td>{countText(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {texts.length > 0 && <p>{t('ends', { list: listText(texts) })}</p>}
    </div>
  )
}

type HeirFieldProps = { leaver: number; value: string; error: string | undefined; onChange(id: string): void }

function HeirField({ leaver, value, error, onChange }: HeirFieldProps) {
  const { user } = useSession()
  const directory = useDirectory()
  const options = (directory.data ?? [])
    .filter(({ id, active }) => active && id !== leaver)
    .map(({ id, name }) => ({ value: String(id), label: name, ...(id === user.id && { hint: t('you') }) }))
  return (
    <Combobox
      label={t('heir')}
      className={record['wide'] ?? ''}
      hint={t('heirHint')}
      {...(error !== undefined && { error })}
      isLoading={directory.isPending}
      options={options}
      value={value}
      onChange={onChange}
      placeholder={t('heirType')}
    />
  )
}
