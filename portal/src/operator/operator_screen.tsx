// The console: all organizations with their states and how much there is of them, and who runs the installation. It shows no record.

import { TandemError } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  Button,
  ButtonLink,
  Card,
  Chip,
  ErrorState,
  LoadingRows,
  Moment,
  PageHeader,
  TextField,
  toneOfState,
} from '../ui/index.ts'
import { CreateDialog, EditDialog, type Move, MoveDialog, type Organization } from './acts.tsx'
import { forgetOperator, operatorApi, operatorLevel } from './client.ts'
import { CodesCard } from './codes_card.tsx'
import styles from './operator.module.css'
import { OperatorsCard } from './operators_card.tsx'
import { t } from './texts.ts'

type Act = Move | 'edit'

const moves: Readonly<Record<string, readonly Move[]>> = {
  active: ['suspend', 'close'],
  suspended: ['resume', 'close'],
  closing: ['reopen'],
  closed: [],
}

export function OperatorScreen() {
  const [words, setWords] = useState('')
  const [asked, setAsked] = useState<{ organization: Organization; act: Act }>()
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
      {query.data !== undefined && <p className={styles['bar']}>{t(acts ? 'barActs' : 'barLooks')}</p>}
      <PageHeader
        title={t('title')}
        description={t('about')}
        actions={
          <>
            {query.data !== undefined && <ButtonLink to="/operator/status">{t('statusOpen')}</ButtonLink>}
            {acts && (
              <Button variant="primary" onClick={() => setCreates(true)}>
                {t('create')}
              </Button>
            )}
          </>
        }
      />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.isError ? (
        <ErrorState
          error={query.error}
          {...(query.error instanceof TandemError && query.error.code === 'not_operator' && { title: t('refused') })}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <>
          <TextField label={t('search')} value={words} onChange={event => setWords(event.target.value)} />
          <Card title={t('organizations')}>
            <ul className={styles['rows']}>
              {organizations.map(organization => (
                <li key={organization.organizationId}>
                  <Facts organization={organization} />
                  {acts && <Acts organization={organization} onAsk={act => setAsked({ organization, act })} />}
                </li>
              ))}
            </ul>
            {organizations.length === 0 && <p>{t('none')}</p>}
          </Card>
          <CodesCard acts={acts} />
          <OperatorsCard acts={acts} />
        </>
      )}
      {asked !== undefined && <ActDialog {...asked} onClose={() => setAsked(undefined)} />}
      {creates && <CreateDialog onClose={() => setCreates(false)} />}
    </div>
  )
}

type ActDialogProps = { organization: Organization; act: Act; onClose(): void }
function ActDialog({ act, ...props }: ActDialogProps) {
  return act === 'edit' ? <EditDialog {...props} /> : <MoveDialog move={act} {...props} />
}

/** A closed organization changes no more. */
function Acts({ organization, onAsk }: { organization: Organization; onAsk(act: Act): void }) {
  return (
    <span className={styles['acts']}>
      {organization.state !== 'closed' && (
        <Button aria-label={t('editNamed', { name: organization.name })} onClick={() => onAsk('edit')}>
          {t('edit')}
        </Button>
      )}
      {(moves[organization.state] ?? []).map(move => (
        <Button
          key={move}
          aria-label={t(`moveNamed.${move}`, { name: organization.name })}
          variant={move === 'suspend' || move === 'close' ? 'danger' : 'secondary'}
          onClick={() => onAsk(move)}
        >
          {t(`move.${move}`)}
        </Button>
      ))}
    </span>
  )
}

function Facts({ organization }: { organization: Organization }) {
  const { organizationId, name, state, stateReason, closesAt, mailsPerDay, owner, usage, createdAt } = organization
  return (
    <div>
      <b>{name}</b>{' '}
      <Chip tone={toneOfState(state)} dot>
        {' '}
        {t.of('state', state) ?? state}{' '}
      </Chip>{' '}
      <Chip>{t('number', { id: String(organizationId) })}</Chip>
      <small>
        {t.rich('facts', {
          owner: owner === null ? t('factsOwnerNone') : t('factsOwner', { name: owner.name, email: owner.email }),
          members: usage.members,
          leads: usage.leads,
          messages: usage.messages,
          calls: usage.calls,
          time: () => <Moment iso={createdAt} />,
        })}
      </small>
      {mailsPerDay !== null && <small>{t('factsMails', { count: mailsPerDay })}</small>}
      {stateReason !== null && <small>{t('factsReason', { reason: stateReason })}</small>}
      {closesAt !== null && <small>{t.rich('factsErased', { time: () => <Moment iso={closesAt} /> })}</small>}
    </div>
  )
}
