// The figures in the form of an invoice: its lines, or one amount, and what they will come to.
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import record from '../data/record.module.css'
import type { FormFields } from '../forms/form.tsx'
import { Button, ErrorNote, Money, SegmentedControl, SelectField, TextField } from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { LineRow, lineNames } from './invoice_line_row.tsx'
import { amountText, totalsOf } from './invoice_totals.ts'
import { newLine, type Values } from './invoice_values.ts'
import styles from './invoices.module.css'
import { Sums } from './sums.tsx'
import { t } from './texts.ts'

const lineField = (index: number, name?: string) => (name === undefined ? `lines[${index}]` : `lines[${index}].${name}`)

/** The server's names of all figures, of so many lines. */
export function figureFields(lines: number): string[] {
  const each = Array.from({ length: lines }, (_, index) => [
    lineField(index),
    ...lineNames.map(name => lineField(index, name)),
  ])
  return ['amount', 'tax_rounding', 'lines', ...each.flat()]
}

export type FiguresProps = {
  form: FormFields<Values>
  /** Keys of the lines when they were sent, in their order. */
  sent: readonly number[]
  /** Undefined while it is not known. */
  currency: string | undefined
}

const bases = byLanguage(
  () =>
    [
      { value: 'lines', label: t('basis.lines') },
      { value: 'amount', label: t('basis.amount') },
    ] as const,
)

export function Figures({ form, sent, currency }: FiguresProps) {
  const { values, put, text } = form
  return (
    <>
      <div className={record['wide']}>
        <SegmentedControl
          label={t('basis')}
          options={bases()}
          value={values.basis}
          onChange={basis => put('basis', basis)}
        />
      </div>
      {values.basis === 'amount' ? (
        <TextField label={t('amount')} required inputMode="decimal" hint={t('amountHint')} {...text('amount')} />
      ) : (
        <>
          <Lines form={form} sent={sent} />
          <SelectField
            label={t('rounding')}
            options={[
              { value: 'per_rate', label: t('rounding.per_rate') },
              { value: 'per_line', label: t('rounding.per_line') },
            ]}
            value={values.tax_rounding}
            error={form.fields['tax_rounding']}
            onChange={({ target }) => put('tax_rounding', target.value as Values['tax_rounding'])}
          />
          {currency !== undefined && <TotalsOfForm values={values} currency={currency} />}
        </>
      )}
    </>
  )
}

function Lines({ form, sent }: Pick<FiguresProps, 'form' | 'sent'>) {
  const box = useRef<HTMLFieldSetElement>(null)
  const { lines } = form.values
  /** Changes lines and goes to the description of one at once: anyone who types on loses no letter. */
  const changeAndGo = (next: Values['lines'], index: number) => {
    flushSync(() => form.put('lines', next))
    const inputs = box.current?.querySelectorAll<HTMLInputElement>('input[name="description"]')
    const target = inputs?.[index] ?? box.current?.querySelector<HTMLElement>('[data-add]')
    target?.focus()
  }
  const last = lines.at(-1)
  const general = [form.fields['lines'], ...sent.map((_, index) => form.fields[lineField(index)])].filter(Boolean)
  return (
    <fieldset className={styles['lines']} ref={box}>
      <legend>{t('basis.lines')}</legend>
      {lines.length === 0 && <p>{t('linesNone')}</p>}
      {lines.map((line, index) => {
        const place = sent.indexOf(line.key)
        return (
          <LineRow
            key={line.key}
            line={line}
            number={index + 1}
            errorOf={name => (place === -1 ? undefined : form.fields[lineField(place, name)])}
            onChange={(name, value) =>
              form.put(
                'lines',
                lines.map(one => (one.key === line.key ? { ...one, [name]: value } : one)),
                lineField(place, name),
              )
            }
            onRemove={() =>
              changeAndGo(
                lines.filter(one => one.key !== line.key),
                Math.max(0, index - 1),
              )
            }
          />
        )
      })}
      {general.length > 0 && <ErrorNote text={general.join(' ')} />}
      <div>
        <Button
          size="sm"
          data-add=""
          icon={<Plus size={14} />}
          onClick={() =>
            changeAndGo(
              [...lines, newLine(Math.max(-1, ...lines.map(line => line.key)) + 1, last?.tax_rate)],
              lines.length,
            )
          }
        >
          {t('lineAdd')}
        </Button>
      </div>
    </fieldset>
  )
}

function TotalsOfForm({ values, currency }: { values: Values; currency: string }) {
  const totals = totalsOf(values.lines, currency, values.tax_rounding)
  const money = (minor: bigint | undefined) =>
    minor === undefined ? '–' : <Money amount={Number(amountText(minor, currency))} currency={currency} />
  const taxes = totals?.taxes.filter(({ ppm }) => ppm > 0n) ?? []
  return (
    <Sums
      label={t('sums')}
      items={[
        { term: t('beforeTax'), detail: money(totals?.net) },
        ...taxes.map(({ ppm, tax }) => ({
          term: t('taxAt', { rate: numberText(Number(ppm) / 10_000, { maximumFractionDigits: 4 }) }),
          detail: money(tax),
        })),
        { term: t('total'), detail: money(totals?.total) },
      ]}
    />
  )
}
