// What is over: who left, and to whom what they owned went; and what became of invitations.
import type { HandOver, Invitation } from '@tandem/sdk'
import { useState } from 'react'
import { useCursorList } from '../data/lists.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { countText, Dialog, ListStates, LoadMore, SegmentedControl, StatusChip, Time } from '../ui/index.ts'
import styles from './users.module.css'

const sides = [
  { value: 'left', label: 'Who left' },
  { value: 'invited', label: 'Invitations' },
] as const
type Side = (typeof sides)[number]['value']

export function PastDialog({ onClose }: { onClose(): void }) {
  const [side, setSide] = useState<Side>('left')
  return (
    <Dialog open wide onOpenChange={open => !open && onClose()} title="Who left or was invited">
      <div className={styles['past']}>
        <SegmentedControl<Side> label="Shown" options={sides} value={side} onChange={setSide} />
        {side === 'left' ? <HandOvers /> : <Invitations />}
      </div>
    </Dialog>
  )
}

const pageSize = 20

function HandOvers() {
  const api = useApi()
  const list = useCursorList<HandOver>('hand_overs', {}, (cursor, signal) =>
    api.handOvers.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  )
  return (
    <ListStates
      label="Loading who left"
      query={list.query}
      isEmpty={list.items.length === 0}
      isFiltered={false}
      onClearFilters={() => undefined}
      empty={{ title: 'Nobody left yet', text: 'Who is removed or leaves is listed here, with what they handed over.' }}
    >
      <ul className={styles['rows']} aria-label="Who left">
        {list.items.map(one => (
          <li key={one.handOverId}>
            <div>
              <UserName id={one.fromUserId} />
              <small>
                {countText(one.kinds.reduce((sum, { given }) => sum + given, 0))} records to{' '}
                <UserName id={one.toUserId} />, <Time iso={one.createdAt} />
              </small>
            </div>
            <StatusChip status={one.state} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </ListStates>
  )
}

function Invitations() {
  const api = useApi()
  const list = useCursorList<Invitation>('past invitations', {}, (cursor, signal) =>
    api.invitations.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  )
  return (
    <ListStates
      label="Loading invitations"
      query={list.query}
      isEmpty={list.items.length === 0}
      isFiltered={false}
      onClearFilters={() => undefined}
      empty={{ title: 'Nobody was invited yet', text: 'Invitations stay listed here, whatever became of them.' }}
    >
      <ul className={styles['rows']} aria-label="Invitations so far">
        {list.items.map(one => (
          <li key={one.invitationId}>
            <div>
              {one.email}
              <small>
                {one.role}, by <UserName id={one.invitedBy} />, <Time iso={one.createdAt} />
              </small>
            </div>
            <StatusChip status={one.state} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </ListStates>
  )
}

type MoreProps = { list: ReturnType<typeof useCursorList<unknown>> }

const More = ({ list }: MoreProps) => (
  <LoadMore shown={list.items.length} hasMore={list.hasMore} busy={list.loadingMore} onMore={list.loadMore} />
)
