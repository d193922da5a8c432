// Categories that are planned: quiet entries beside those that are there, and a page that says what comes, in which order, and what does
// the work meanwhile. Nothing of them can be called, and nothing here looks as if it could.
import { Milestone } from 'lucide-react'
import { endpointAddress, endpointById, type Planned, planned } from '../session/catalog.ts'
import { Card, Chip, MethodBadge, TextLink, useDocumentTitle } from '../ui/index.ts'
import styles from './planned.module.css'
import { t } from './texts.ts'

/** The planned category that is chosen as a filter. */
export function chosenPlan(category: string): Planned | undefined {
  return planned.find(({ name }) => name === category)
}

export function PlannedPage({ plan }: { plan: Planned }) {
  useDocumentTitle(t('plannedTitle', { name: plan.name }))
  return (
    <article className={styles['page']}>
      <header className={styles['head']}>
        <h1>{plan.name}</h1>
        <Chip>{t('planned')}</Chip>
      </header>
      <p className={styles['about']}>
        {plan.description} {t('plannedAbout')}
      </p>
      <Card title={t('plannedSteps')}>
        <ol className={styles['steps']}>
          {plan.steps.map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
      <Card title={t('meanwhile')}>
        <ul className={styles['meanwhile']}>
          {plan.meanwhile.map(({ text, endpoints }) => (
            <li key={text}>
              <p>{text}</p>
              <ul>
                {endpoints
                  .flatMap(id => endpointById(id) ?? [])
                  .map(entry => (
                    <li key={entry.id}>
                      <MethodBadge method={entry.method} />
                      <TextLink to={endpointAddress(entry) as '/'}>{entry.name}</TextLink>
                    </li>
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      </Card>
    </article>
  )
}

/** What of the planned the words typed are about, above the list of what was found. */
export function PlannedFound({ plans }: { plans: readonly Planned[] }) {
  if (plans.length === 0) return null
  return (
    <ul className={styles['found']} aria-label={t('plannedList')}>
      {plans.map(({ name }) => (
        <li key={name}>
          <Milestone size={14} aria-hidden="true" />
          <TextLink to="/explorer" search={{ category: name }}>
            {name}
          </TextLink>
          <span>{t('plannedNone')}</span>
        </li>
      ))}
    </ul>
  )
}

/** Below the cards of what is there. */
export function PlannedCategories() {
  return (
    <section className={styles['planned']} aria-label={t('plannedList')}>
      <h2>{t('plannedList')}</h2>
      <ul>
        {planned.map(({ name, description }) => (
          <li key={name}>
            <TextLink to="/explorer" search={{ category: name }}>
              {name}
            </TextLink>
            <span>{description}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
