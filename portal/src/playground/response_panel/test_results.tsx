// What came of the tests of an answer: each with a mark and a word, and what was found where it failed.
import { Check, X } from 'lucide-react'
import { summaryOf, type Tested } from '../tests/answer.ts'
import styles from './test_results.module.css'

export function TestResults({ tested }: { tested: Tested }) {
  const { text, passed } = summaryOf(tested)
  return (
    <section className={styles['tests']} aria-label="Tests">
      <h3 role="status" data-passed={passed}>
        {text === '' ? 'Variables' : text}
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
            <span className="visually-hidden">{passed ? 'Passed: ' : 'Failed: '}</span>
            {name}
            {found !== undefined && <small>{found}</small>}
          </span>
        </li>
      ))}
      {taken.map(({ name, value }) => (
        <li key={`taken ${name}`} data-passed="true">
          <Check size={14} aria-hidden="true" />
          <span>
            <code>{name}</code> is <code>{value.length > 60 ? `${value.slice(0, 60)}…` : value}</code>
          </span>
        </li>
      ))}
      {missed.map(({ name, pointer }) => (
        <li key={`missed ${name}`} data-passed="false">
          <X size={14} aria-hidden="true" />
          <span>
            <code>{name}</code> was not taken
            <small>{`there is no value at ${pointer || 'the top'}`}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}
