// What is asked of an answer: its tests, and the variables that are taken from it.
import { Plus, X } from 'lucide-react'
import { Button, IconButton, SelectField, TextField } from '../../ui/index.ts'
import type { Checks } from '../collections/content.ts'
import { isVariableName } from '../request/variables.ts'
import { type AnswerTest, type Capture, nameOfTest, type Operator, operatorsOf, type Subject } from '../tests/check.ts'
import styles from './tests_panel.module.css'
import { t } from './texts.ts'

const MAX_TESTS = 30
const MAX_CAPTURES = 20

const offers: readonly AnswerTest[] = [
  { subject: 'status', target: '', operator: 'one_of', value: '2xx' },
  { subject: 'time', target: '', operator: 'below', value: '500' },
  { subject: 'header', target: 'Content-Type', operator: 'contains', value: 'json' },
  { subject: 'json', target: '/data', operator: 'exists', value: '' },
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
      <section aria-label={t('testsOfAnswer')}>
        <h3>{t('tests')}</h3>
        <p className={styles['about']}>
          {t('testsAbout', { example: '{{leadId}}' })} {!isKept && t('testsKeep')}
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
          {offers.map(test => (
            <Button
              key={test.subject}
              size="sm"
              icon={<Plus size={13} />}
              disabled={tests.length >= MAX_TESTS}
              aria-label={t(`addTest.${test.subject}`)}
              onClick={() => setTests([...tests, test])}
            >
              {t(`subject.${test.subject}`)}
            </Button>
          ))}
        </div>
      </section>
      <section aria-label={t('variablesFrom')}>
        <h3>{t('variablesFrom')}</h3>
        <p className={styles['about']}>{t('capturesAbout')}</p>
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
            {t('addVariable')}
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
          label={t('test.what', { number })}
          hideLabel
          value={subject}
          options={offers.map(({ subject }) => ({ value: subject, label: t(`subject.${subject}`) }))}
          onChange={event => {
            const next = event.target.value as Subject
            onChange(offers.find(offer => offer.subject === next) ?? test)
          }}
        />
        {hasTarget && (
          <TextField
            className={styles['wide']}
            label={t(subject === 'header' ? 'test.header' : 'test.pointer', { number })}
            hideLabel
            mono
            value={target}
            placeholder={subject === 'header' ? t('headerHint') : t('pointerHint')}
            error={targetFault(test)}
            onChange={event => onChange({ ...test, target: event.target.value })}
          />
        )}
        {operatorsOf[subject].length > 1 ? (
          <SelectField
            label={t('test.comparison', { number })}
            hideLabel
            value={operator}
            options={operatorsOf[subject].map(name => ({ value: name, label: t(`operator.${name}`) }))}
            onChange={event => {
              const next = event.target.value as Operator
              onChange({ ...test, operator: next, value: next === 'exists' ? '' : value })
            }}
          />
        ) : (
          <span className={styles['word']}>{t(`operator.${operator}`)}</span>
        )}
        {operator !== 'exists' && (
          <TextField
            className={styles['wide']}
            label={t('test.value', { number })}
            hideLabel
            mono
            value={value}
            placeholder={subject === 'status' ? '200, 201' : t('valueHint')}
            error={valueFault(test)}
            onChange={event => onChange({ ...test, value: event.target.value })}
          />
        )}
      </div>
      <IconButton size="sm" label={t('removeTest', { number })} icon={<X size={14} />} onClick={onRemove} />
    </li>
  )
}

function targetFault({ subject, target }: AnswerTest): string | undefined {
  if (subject === 'header') return target.trim() === '' ? t('nameAHeader') : undefined
  return target === '' || target.startsWith('/') ? undefined : t('pointerRule')
}

function valueFault({ subject, operator, value }: AnswerTest): string | undefined {
  if (value.includes('{{')) return undefined
  if ((operator === 'below' || operator === 'count') && !/^\d{1,9}$/.test(value)) return t('wholeNumber')
  if (subject !== 'status') return undefined
  const codes = operator === 'one_of' ? value.split(',') : [value]
  return codes.every(code => /^[1-5](?:\d\d|xx)$/.test(code.trim())) ? undefined : t('statusRule')
}

type CaptureRowProps = { capture: Capture; number: number; onChange(capture: Capture): void; onRemove(): void }

function CaptureRow({ capture, number, onChange, onRemove }: CaptureRowProps) {
  const { name, pointer } = capture
  return (
    <li className={styles['row']}>
      <div className={styles['fields']}>
        <TextField
          className={styles['wide']}
          label={t('capture.name', { number })}
          hideLabel
          mono
          value={name}
          error={isVariableName(name) ? undefined : t('nameRule')}
          onChange={event => onChange({ ...capture, name: event.target.value.trim() })}
        />
        <span className={styles['word']}>{t('captureFrom')}</span>
        <TextField
          className={styles['wide']}
          label={t('capture.pointer', { number })}
          hideLabel
          mono
          value={pointer}
          error={pointer === '' || pointer.startsWith('/') ? undefined : t('pointerRule')}
          onChange={event => onChange({ ...capture, pointer: event.target.value })}
        />
      </div>
      <IconButton size="sm" label={t('removeVariable', { number })} icon={<X size={14} />} onClick={onRemove} />
    </li>
  )
}
