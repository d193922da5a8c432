// What is over: who left, and to whom what they owned went; and what became of invitations.
import type { HandOver, Invitation } from '@tandem/sdk'
import { useState } from 'react'
import { useCursorList } from '../data/lists.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { Dialog, ListStates, LoadMore, SegmentedControl, Time } from '../ui/index.ts'
import { StateChip } from './state_chip.tsx'
import { t } from './texts.ts'
import styles from './users.module.css'

type Side = 'left' | 'invited'

export function PastDialog({ onClose }: { onClose(): void }) {
  const [side, setSide] = useState<Side>('left')
  const sides = (['left', 'invited'] as const).map(value => ({
    value,
    label: t(value === 'left' ? 'left' : 'invitations'),
  }))
  return (
    <Dialog open wide onOpenChange={open => !open && onClose()} title={t('past')}>
      <div className={styles['past']}>
        <SegmentedControl<Side> label={t('shown')} options={sides} value={side} onChange={setSide} />
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
      label={t('leftLoading')}
      query={list.query}
      isEmpty={list.items.length === 0}
      isFiltered={false}
      onClearFilters={() => undefined}
      empty={{ title: t('leftNone'), text: t('leftNoneText') }}
    >
      <ul className={styles['rows']} aria-label={t('left')}>
        {list.items.map(one => (
          <li key={one.handOverId}>
            <div>
              <UserName id={one.fromUserId} />
              <small>
                {t.rich('leftRecords', {
                  count: one.kinds.reduce((sum, { given }) => sum + given, 0),
                  heir: () => <UserName id={one.toUserId} />,
                  time: () => <Time iso={one.createdAt} />,
                })}
              </small>
            </div>
            <StateChip state={one.state} />
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
      label={t('invitationsLoading')}
      query={list.query}
      isEmpty={list.items.length === 0}
      isFiltered={false}
      onClearFilters={() => undefined}
      empty={{ title: t('invitationsNone'), text: t('invitationsNoneText') }}
    >
      <ul className={styles['rows']} aria-label={t('invitationsPast')}>
        {list.items.map(one => (
          <li key={one.invitationId}>
            <div>
              {one.email}
              <small>
                {t.rich('invitationBy', {
                  role: one.role,
                  user: () => <UserName id={one.invitedBy} />,
                  time: () => <Time iso={one.createdAt} />,
                })}
              </small>
            </div>
            <StateChip state={one.state} />
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
