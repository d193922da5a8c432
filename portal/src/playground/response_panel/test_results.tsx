// What came of the tests of an answer: each with a mark and a word, and what was found where it failed.
import { Check, X } from 'lucide-react'
import { summaryOf, type Tested } from '../tests/answer.ts'
import styles from './test_results.module.css'
import { t } from './texts.ts'

export function TestResults({ tested }: { tested: Tested }) {
  const { text, passed } = summaryOf(tested)
  return (
    <section className={styles['tests']} aria-label={t('tests')}>
      <h3 role="status" data-passed={passed}>
        {text === '' ? t('variables') : text}
      </h3>
      <TestList tested={tested} />
    </section>
  )
}

export function TestList({ tested: { results, taken, missed } }: { tested: Tested }) {
  return (
    <ul className={styles['list']}>
      {results.map(({ name, passed, found }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two tests may be the same
        <li key={index} data-passed={passed}>
          {passed ? <Check size={14} aria-hidden="true" /> : <X size={14} aria-hidden="true" />}
          <span>
            <span className="visually-hidden">{t(passed ? 'state.passed' : 'state.failed')}: </span>
            {name}
            {found !== undefined && <small>{found}</small>}
          </span>
        </li>
      ))}
      {taken.map(({ name, value }) => (
        <li key={`taken ${name}`} data-passed="true">
          <Check size={14} aria-hidden="true" />
          <span>{t.rich('takenIs', { name, value: value.length > 60 ? `${value.slice(0, 60)}…` : value })}</span>
        </li>
      ))}
      {missed.map(({ name, pointer }) => (
        <li key={`missed ${name}`} data-passed="false">
          <X size={14} aria-hidden="true" />
          <span>
            {t.rich('notTaken', { name })}
            <small>{pointer === '' ? t('noValueTop') : t('noValueAt', { pointer })}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}
