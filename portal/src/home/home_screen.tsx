// Home: what waits for the person, what happened since yesterday, and their week in figures. Only what their role has to do with.
import { Coffee } from 'lucide-react'
import type { ReactNode } from 'react'
import { leads as leadNoun } from '../nouns/described/leads.generated.ts'
import { useIsOwnOnly } from '../nouns/rights.ts'
import { useSession } from '../session/session.ts'
import { ErrorState, LoadingRows, PageHeader } from '../ui/index.ts'
import { dayText, listText } from '../words/format.ts'
import { FirstDay, isFirstDay, SetUpCard } from './begin.tsx'
import { InvoicesCard, TasksCard } from './due_cards.tsx'
import styles from './home.module.css'
import { NewsCard } from './news_card.tsx'
import { ConversationsCard, LeadsCard } from './people_cards.tsx'
import { t } from './texts.ts'
import { type Home, useHome } from './use_home.ts'
import { WeekCard } from './week_card.tsx'

function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour < 5 || hour >= 18) return 'evening'
  return hour < 12 ? 'morning' : 'afternoon'
}

export function HomeScreen() {
  const { user } = useSession()
  const query = useHome()
  const now = new Date()
  const [first = user.name] = user.name.split(' ')
  return (
    <>
      <PageHeader
        title={t('title')}
        heading={<span dir="auto">{t(`greeting.${partOfDay(now.getHours())}`, { name: first })}</span>}
        description={dayText(now, { weekday: 'long', day: 'numeric', month: 'long' })}
      />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Day home={query.data} />
      )}
    </>
  )
}

function Day({ home }: { home: Home }) {
  const isOwn = useIsOwnOnly(leadNoun)
  const cards = useCards(home)
  const isFirst = isFirstDay(home.begun)
  return (
    <div className={styles['columns']} data-first={isFirst}>
      <div className={styles['stack']}>
        {isFirst ? <FirstDay begun={home.begun} /> : <SetUpCard begun={home.begun} />}
        {cards.shown}
        {!isFirst && cards.shown.length === 0 && <AllDone />}
        {cards.shown.length > 0 && cards.quiet.length > 0 && (
          <p className={styles['rest']}>{t('rest', { list: listText(cards.quiet) })}</p>
        )}
      </div>
      {!isFirst && (
        <div className={styles['stack']}>
          <WeekCard numbers={home.numbers} isOwn={isOwn} />
          <NewsCard news={home.news} />
        </div>
      )}
    </div>
  )
}

/** The cards of what waits, and what could wait, but does not. */
function useCards(home: Home): { shown: ReactNode[]; quiet: string[] } {
  const { user } = useSession()
  const { leads, conversations, tasks, invoices } = home.waiting
  const owed = invoices !== null && [...invoices.overdue, ...invoices.dueSoon].length + invoices.drafts
  const parts: [name: string, count: number | false | undefined, card: () => ReactNode][] = [
    [
      t('quiet.conversations'),
      conversations?.count,
      () => conversations && <ConversationsCard key="conversations" conversations={conversations} />,
    ],
    [t('quiet.leads'), leads?.count, () => leads && <LeadsCard key="leads" leads={leads} userId={user.id} />],
    [
      t('quiet.tasks'),
      tasks?.count,
      () => tasks && <TasksCard key="tasks" tasks={tasks} today={home.today} nowMs={Date.now()} />,
    ],
    [
      t('quiet.invoices'),
      owed,
      () => invoices && <InvoicesCard key="invoices" invoices={invoices} today={home.today} />,
    ],
  ]
  const concerning = parts.filter(([, count]) => typeof count === 'number')
  return {
    shown: concerning.filter(([, count]) => count !== 0).map(([, , card]) => card()),
    quiet: concerning.filter(([, count]) => count === 0).map(([name]) => name),
  }
}

function AllDone() {
  return (
    <section className={styles['done']} aria-labelledby="all-done">
      <span aria-hidden="true">
        <Coffee size={28} />
      </span>
      <h2 id="all-done">{t('done')}</h2>
      <p>{t('doneText')}</p>
    </section>
  )
}
