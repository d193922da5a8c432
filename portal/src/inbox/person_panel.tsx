// Who a conversation is with and whose it is, with what can be changed about that.
import { UserPlus, UserSearch } from 'lucide-react'
import { useState } from 'react'
import { RecordPicker } from '../nouns/picker.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { useSession } from '../session/session.ts'
import { spokenNumber } from '../sms_simulator/numbers.ts'
import { Button, DescriptionList, Time } from '../ui/index.ts'
import styles from './conversation.module.css'
import { PersonLink } from './person_link.tsx'
import { Face } from './row.tsx'
import { AddToPersonDialog, CreateLeadDialog } from './unknown_dialogs.tsx'
import type { Changes } from './use_changes.ts'
import type { One } from './views.ts'
import { nameOf } from './words.ts'

const kinds = { lead: 'Lead', contact: 'Contact', unknown: 'Not known yet' }

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
          <p className={styles['faint']}>{kinds[party.kind]}</p>
        </div>
      </div>
      {unknown && <Unknown one={one} />}
      {changes.mayChange ? (
        <div className={styles['assign']}>
          <RecordPicker
            of="user"
            label="Assigned to"
            none="Nobody"
            value={assignee?.userId ?? null}
            onChange={id =>
              Number(id ?? 0) !== (assignee?.userId ?? 0) && changes.assign(id === null ? null : Number(id))
            }
          />
          {assignee?.userId !== user.id && (
            <Button size="sm" busy={changes.isBusy} onClick={changes.take}>
              Assign to me
            </Button>
          )}
        </div>
      ) : (
        <DescriptionList items={[{ term: 'Assigned to', detail: assignee?.name ?? 'Nobody' }]} />
      )}
      <DescriptionList
        items={[
          ...(team === null ? [] : [{ term: 'Team', detail: team.name }]),
          ...one.addresses.map(({ channel, address }) => ({
            term: channel === 'phone' ? 'Phone' : 'Mail',
            detail: <span className={styles['address']}>{spokenNumber(address)}</span>,
          })),
          ...(party.ownerId === null ? [] : [{ term: 'Owner', detail: <UserName id={party.ownerId} /> }]),
          ...(one.participants.length === 0
            ? []
            : [{ term: 'Mentioned', detail: one.participants.map(({ name }) => name).join(', ') }]),
          { term: 'Since', detail: <Time iso={one.createdAt} /> },
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
      <p>{`Nobody in your records has ${nameOf(one)} yet.`}</p>
      {mayCreate && (
        <Button variant="primary" icon={<UserPlus size={14} />} onClick={() => setAsked('lead')}>
          Create a lead
        </Button>
      )}
      {mayAdd && (
        <Button icon={<UserSearch size={14} />} onClick={() => setAsked('person')}>
          Add to a person
        </Button>
      )}
      {asked === 'lead' && <CreateLeadDialog one={one} onClose={close} />}
      {asked === 'person' && <AddToPersonDialog one={one} onClose={close} />}
    </div>
  )
}
