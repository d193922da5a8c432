// The console: all organizations with their states and how much there is of them, and who runs the installation. It shows no record.

import { TandemError } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button, Card, Chip, ErrorState, LoadingRows, Moment, PageHeader, StatusChip, TextField } from '../ui/index.ts'
import { CreateDialog, type Move, MoveDialog, type Organization } from './acts.tsx'
import { forgetOperator, operatorApi, operatorLevel } from './client.ts'
import { CodesCard } from './codes_card.tsx'
import styles from './operator.module.css'
import { OperatorsCard } from './operators_card.tsx'

const moves: Readonly<Record<string, readonly Move[]>> = {
  active: ['suspend', 'close'],
  suspended: ['resume', 'close'],
  closing: ['reopen'],
  closed: [],
}
const verbs: Readonly<Record<Move, string>> = { suspend: 'Suspend', resume: 'Resume', close: 'Close', reopen: 'Reopen' }

export function OperatorScreen() {
  const [words, setWords] = useState('')
  const [asked, setAsked] = useState<{ organization: Organization; move: Move }>()
  const [creates, setCreates] = useState(false)
  useEffect(() => forgetOperator, [])
  const q = words.trim()
  const query = useQuery({
    queryKey: ['operator', 'organizations', q],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const page = await operatorApi.operatorOrganizations.list({ limit: 200, ...(q === '' ? {} : { q }) }, { signal })
      return { ...page, level: operatorLevel() }
    },
    // While somebody types, what was found last stands.
    placeholderData: keepPreviousData,
  })
  const acts = query.data?.level === 'full'
  const organizations = query.data?.items ?? []
  return (
    <div className={styles['console']}>
      {query.data !== undefined && (
        <p className={styles['bar']}>
          {acts
            ? 'Operator console: you act on whole organizations, and what you do is in their audit logs.'
            : 'Operator console: you see all organizations, and may change none.'}
        </p>
      )}
      <PageHeader
        title="Operator console"
        description="Every organization of this installation, with its state and how much there is of it."
        actions={
          acts && (
            <Button variant="primary" onClick={() => setCreates(true)}>
              Create an organization
            </Button>
          )
        }
      />
      {query.isPending ? (
        <LoadingRows label="Loading the organizations" />
      ) : query.isError ? (
        <ErrorState
          error={query.error}
          {...(query.error instanceof TandemError &&
            query.error.code === 'not_operator' && { title: 'You are not an operator here' })}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <>
          <TextField label="Name or owner" value={words} onChange={event => setWords(event.target.value)} />
          <Card title="Organizations">
            <ul className={styles['rows']}>
              {organizations.map(organization => (
                <li key={organization.organizationId}>
                  <Facts organization={organization} />
                  {acts && <Moves organization={organization} onAsk={move => setAsked({ organization, move })} />}
                </li>
              ))}
            </ul>
            {organizations.length === 0 && <p>No organization has this name or owner.</p>}
          </Card>
          <CodesCard acts={acts} />
          <OperatorsCard acts={acts} />
        </>
      )}
      {asked !== undefined && <MoveDialog {...asked} onClose={() => setAsked(undefined)} />}
      {creates && <CreateDialog onClose={() => setCreates(false)} />}
    </div>
  )
}

function Moves({ organization, onAsk }: { organization: Organization; onAsk(move: Move): void }) {
  return (
    <span className={styles['acts']}>
      {(moves[organization.state] ?? []).map(move => (
        <Button
          key={move}
          aria-label={`${verbs[move]} ${organization.name}`}
          variant={move === 'suspend' || move === 'close' ? 'danger' : 'secondary'}
          onClick={() => onAsk(move)}
        >
          {verbs[move]}
        </Button>
      ))}
    </span>
  )
}

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

function Facts({ organization }: { organization: Organization }) {
  const { organizationId, name, state, stateReason, closesAt, owner, usage, createdAt } = organization
  return (
    <div>
      <b>{name}</b> <StatusChip status={state} /> <Chip>{`No. ${organizationId}`}</Chip>
      <small>
        {owner === null ? 'no owner' : `${owner.name}, ${owner.email}`} · {counted(usage.members, 'member')} ·{' '}
        {counted(usage.leads, 'lead')} · {counted(usage.messages, 'text')} and {counted(usage.calls, 'call')} in 30 days
        · since <Moment iso={createdAt} />
      </small>
      {stateReason !== null && <small>Reason: {stateReason}</small>}
      {closesAt !== null && (
        <small>
          Erased on <Moment iso={closesAt} />
        </small>
      )}
    </div>
  )
}
