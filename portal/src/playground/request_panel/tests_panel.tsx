// What is asked of an answer: its tests, and the variables that are taken from it.
import { Plus, X } from 'lucide-react'
import { Button, IconButton, SelectField, TextField } from '../../ui/index.ts'
import type { Checks } from '../collections/content.ts'
import { isVariableName } from '../request/variables.ts'
import {
  type AnswerTest,
  type Capture,
  nameOfTest,
  type Operator,
  operatorNames,
  operatorsOf,
  type Subject,
  subjectNames,
} from '../tests/check.ts'
import styles from './tests_panel.module.css'

const MAX_TESTS = 30
const MAX_CAPTURES = 20

const offers: readonly { label: string; test: AnswerTest }[] = [
  { label: 'Status', test: { subject: 'status', target: '', operator: 'one_of', value: '2xx' } },
  { label: 'Time', test: { subject: 'time', target: '', operator: 'below', value: '500' } },
  { label: 'Header', test: { subject: 'header', target: 'Content-Type', operator: 'contains', value: 'json' } },
  { label: 'JSON value', test: { subject: 'json', target: '/data', operator: 'exists', value: '' } },
]

export type TestsPanelProps = {
  checks: Checks
  onChange(checks: Checks): void /** Whether they are kept with a request. */
  isKept: boolean
}

export function TestsPanel({ checks, onChange, isKept }: TestsPanelProps) {
  const { tests, captures } = checks
  const setTests = (next: readonly AnswerTest[]) => onChange({ tests: next, captures })
  const setCaptures = (next: readonly Capture[]) => onChange({ tests, captures: next })
  return (
    <div className={styles['panel']}>
      <section aria-label="Tests of the answer">
        <h3>Tests</h3>
        <p className={styles['about']}>
          {'Checked after each send. Values may name variables, such as {{leadId}}. '}
          {!isKept && 'Save the request to keep them.'}
        </p>
        {tests.length > 0 && (
          <ol className={styles['rows']}>
            {tests.map((test, index) => (
              <TestRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a test is its place; two may be the same
                key={index}
                test={test}
                number={index + 1}
                onChange={next => setTests(tests.map((each, at) => (at === index ? next : each)))}
                onRemove={() => setTests(tests.filter((_, at) => at !== index))}
              />
            ))}
          </ol>
        )}
        <div className={styles['offers']}>
          {offers.map(({ label, test }) => (
            <Button
              key={label}
              size="sm"
              icon={<Plus size={13} />}
              disabled={tests.length >= MAX_TESTS}
              aria-label={`Add a test of ${label === 'JSON value' ? 'a JSON value' : `the ${label.toLowerCase()}`}`}
              onClick={() => setTests([...tests, test])}
            >
              {label}
            </Button>
          ))}
        </div>
      </section>
      <section aria-label="Variables from the answer">
        <h3>Variables from the answer</h3>
        <p className={styles['about']}>Each is taken by its JSON Pointer, for the requests after this one.</p>
        {captures.length > 0 && (
          <ol className={styles['rows']}>
            {captures.map((capture, index) => (
              <CaptureRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a capture is its place
                key={index}
                capture={capture}
                number={index + 1}
                onChange={next => setCaptures(captures.map((each, at) => (at === index ? next : each)))}
                onRemove={() => setCaptures(captures.filter((_, at) => at !== index))}
              />
            ))}
          </ol>
        )}
        <div className={styles['offers']}>
          <Button
            size="sm"
            icon={<Plus size={13} />}
            disabled={captures.length >= MAX_CAPTURES}
            onClick={() => setCaptures([...captures, { name: freeName(captures), pointer: '/data/id' }])}
          >
            Add a variable
          </Button>
        </div>
      </section>
    </div>
  )
}

function freeName(captures: readonly Capture[]): string {
  const taken = new Set(captures.map(({ name }) => name))
  const numbers = Array.from({ length: MAX_CAPTURES + 1 }, (_, index) => (index === 0 ? 'id' : `id${index + 1}`))
  return numbers.find(name => !taken.has(name)) ?? 'value'
}

type TestRowProps = { test: AnswerTest; number: number; onChange(test: AnswerTest): void; onRemove(): void }

function TestRow({ test, number, onChange, onRemove }: TestRowProps) {
  const { subject, target, operator, value } = test
  const hasTarget = subject === 'header' || subject === 'json'
  return (
    <li className={styles['row']} title={nameOfTest(test)}>
      <div className={styles['fields']}>
        <SelectField
          label={`Test ${number}: what`}
          hideLabel
          value={subject}
          options={Object.entries(subjectNames).map(([name, label]) => ({ value: name, label }))}
          onChange={event => {
            const next = event.target.value as Subject
            onChange(offers.find(offer => offer.test.subject === next)?.test ?? test)
          }}
        />
        {hasTarget && (
          <TextField
            className={styles['wide']}
            label={`Test ${number}: ${subject === 'header' ? 'header' : 'JSON Pointer'}`}
            hideLabel
            mono
            value={target}
            placeholder={subject === 'header' ? 'Content-Type' : '/data/0/id'}
            error={targetFault(test)}
            onChange={event => onChange({ ...test, target: event.target.value })}
          />
        )}
        {operatorsOf[subject].length > 1 ? (
          <SelectField
            label={`Test ${number}: comparison`}
            hideLabel
            value={operator}
            options={operatorsOf[subject].map(name => ({ value: name, label: operatorNames[name] }))}
            onChange={event => {
              const next = event.target.value as Operator
              onChange({ ...test, operator: next, value: next === 'exists' ? '' : value })
            }}
          />
        ) : (
          <span className={styles['word']}>{operatorNames[operator]}</span>
        )}
        {operator !== 'exists' && (
          <TextField
            className={styles['wide']}
            label={`Test ${number}: value`}
            hideLabel
            mono
            value={value}
            placeholder={subject === 'status' ? '200, 201' : 'value'}
            error={valueFault(test)}
            onChange={event => onChange({ ...test, value: event.target.value })}
          />
        )}
      </div>
      <IconButton size="sm" label={`Remove test ${number}`} icon={<X size={14} />} onClick={onRemove} />
    </li>
  )
}

const POINTER = 'Begins with /, as /data/0/id; empty: the whole answer.'

function targetFault({ subject, target }: AnswerTest): string | undefined {
  if (subject === 'header') return target.trim() === '' ? 'Name a header.' : undefined
  return target === '' || target.startsWith('/') ? undefined : POINTER
}

function valueFault({ subject, operator, value }: AnswerTest): string | undefined {
  if (value.includes('{{')) return undefined
  if ((operator === 'below' || operator === 'count') && !/^\d{1,9}$/.test(value)) return 'A whole number.'
  if (subject !== 'status') return undefined
  const codes = operator === 'one_of' ? value.split(',') : [value]
  return codes.every(code => /^[1-5](?:\d\d|xx)$/.test(code.trim())) ? undefined : 'A status such as 201 or 2xx.'
}

type CaptureRowProps = { capture: Capture; number: number; onChange(capture: Capture): void; onRemove(): void }

function CaptureRow({ capture, number, onChange, onRemove }: CaptureRowProps) {
  const { name, pointer } = capture
  return (
    <li className={styles['row']}>
      <div className={styles['fields']}>
        <TextField
          className={styles['wide']}
          label={`Variable ${number}: name`}
          hideLabel
          mono
          value={name}
          error={isVariableName(name) ? undefined : 'Letters, digits, _ . and -, beginning with a letter.'}
          onChange={event => onChange({ ...capture, name: event.target.value.trim() })}
        />
        <span className={styles['word']}>from</span>
        <TextField
          className={styles['wide']}
          label={`Variable ${number}: JSON Pointer`}
          hideLabel
          mono
          value={pointer}
          error={pointer === '' || pointer.startsWith('/') ? undefined : POINTER}
          onChange={event => onChange({ ...capture, pointer: event.target.value })}
        />
      </div>
      <IconButton size="sm" label={`Remove variable ${number}`} icon={<X size={14} />} onClick={onRemove} />
    </li>
  )
}
