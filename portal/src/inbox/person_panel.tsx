// Who a conversation is with and whose it is, with what can be changed about that.
import { UserPlus, UserSearch } from 'lucide-react'
import { useState } from 'react'
import { RecordPicker } from '../nouns/picker.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { useSession } from '../session/session.ts'
import { spokenNumber } from '../sms_simulator/numbers.ts'
import { Button, DescriptionList, Time } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { listText } from '../words/format.ts'
import styles from './conversation.module.css'
import { PersonLink } from './person_link.tsx'
import { Face } from './row.tsx'
import { t } from './texts.ts'
import type { Changes } from './use_changes.ts'
import type { One } from './views.ts'
import { nameOf } from './words.ts'

const CreateLeadDialog = readyPart(() => import('./unknown_dialogs.tsx').then(module => module.CreateLeadDialog))
const AddToPersonDialog = readyPart(() => import('./unknown_dialogs.tsx').then(module => module.AddToPersonDialog))

export function PersonPanel({ one, changes }: { one: One; changes: Changes }) {
  const { user } = useSession()
  const { party, assignee, team } = one
  const unknown = party.kind === 'unknown'
  return (
    <div className={styles['person']}>
      <div className={styles['who']}>
        <Face name={party.name} isUnknown={unknown} />
        <div>
          <PersonLink one={one} className={styles['whoName']} />
          <p className={styles['faint']}>{t(`party.${party.kind}`)}</p>
        </div>
      </div>
      {unknown && <Unknown one={one} />}
      {changes.mayChange ? (
        <div className={styles['assign']}>
          <RecordPicker
            of="user"
            label={t('assigned.to')}
            none={t('nobody')}
            value={assignee?.userId ?? null}
            onChange={id =>
              Number(id ?? 0) !== (assignee?.userId ?? 0) && changes.assign(id === null ? null : Number(id))
            }
          />
          {assignee?.userId !== user.id && (
            <Button size="sm" busy={changes.isBusy} onClick={changes.take}>
              {t('assign.me')}
            </Button>
          )}
        </div>
      ) : (
        <DescriptionList items={[{ term: t('assigned.to'), detail: assignee?.name ?? t('nobody') }]} />
      )}
      <DescriptionList
        items={[
          ...(team === null ? [] : [{ term: t('team'), detail: team.name }]),
          ...one.addresses.map(({ channel, address }) => ({
            term: channel === 'phone' ? t('phone') : t('mail'),
            detail: <span className={styles['address']}>{spokenNumber(address)}</span>,
          })),
          ...(party.ownerId === null ? [] : [{ term: t('owner'), detail: <UserName id={party.ownerId} /> }]),
          ...(one.participants.length === 0
            ? []
            : [{ term: t('mentioned'), detail: listText(one.participants.map(({ name }) => name)) }]),
          { term: t('since'), detail: <Time iso={one.createdAt} /> },
        ]}
      />
    </div>
  )
}

function Unknown({ one }: { one: One }) {
  const { permissions } = useSession()
  const [asked, setAsked] = useState<'lead' | 'person'>()
  const mayCreate = permissions.has('conversations:write') && permissions.has('leads:create')
  const mayAdd =
    permissions.has('conversations:write') && (permissions.has('leads:update') || permissions.has('contacts:update'))
  const close = () => setAsked(undefined)
  return (
    <div className={styles['unknown']}>
      <p>{t('unknown', { name: nameOf(one) })}</p>
      {mayCreate && (
        <Button variant="primary" icon={<UserPlus size={14} />} onClick={() => setAsked('lead')}>
          {t('lead.create')}
        </Button>
      )}
      {mayAdd && (
        <Button icon={<UserSearch size={14} />} onClick={() => setAsked('person')}>
          {t('person.add')}
        </Button>
      )}
      {asked === 'lead' && <CreateLeadDialog one={one} onClose={close} />}
      {asked === 'person' && <AddToPersonDialog one={one} onClose={close} />}
    </div>
  )
}
