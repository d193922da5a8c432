// An invoice at a glance: how much is still to come, from whom, and by when. What is late looks late.

import type { Invoice } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { Due } from '../data/due.tsx'
import { OrganizationDay, useOrganizationDay } from '../data/organization_day.tsx'
import { useRecord } from '../data/records.ts'
import { RecordName } from '../nouns/values.tsx'
import { useSession } from '../session/session.ts'
import { Card, Chip, Day, Money, TextLink } from '../ui/index.ts'
import { isOpen, statusText } from './invoice_noun.ts'
import styles from './invoices.module.css'
import { t } from './texts.ts'

export function InvoiceSummary({ invoice }: { invoice: Invoice }) {
  const { amount, amount_paid: paid, amount_due: due, currency, status, customer, lead_id: leadId } = invoice
  const open = isOpen(invoice)
  const { permissions } = useSession()
  return (
    <Card className={styles['summary']}>
      <div className={styles['sum']} data-late={status === 'Overdue'}>
        <span>{t(open ? 'stillDue' : status === 'Paid' ? 'paidInFull' : 'total')}</span>
        <strong>
          <Money amount={open ? due : amount} currency={currency} />
        </strong>
        {open && paid > 0 && (
          <>
            <progress max={amount} value={paid} aria-label={t('paidSoFar')} />
            <small>
              {t.rich('paidOf', {
                paid: () => <Money amount={paid} currency={currency} />,
                total: () => <Money amount={amount} currency={currency} />,
              })}
            </small>
          </>
        )}
      </div>
      <dl className={styles['glance']}>
        <div>
          <dt>{t('billedTo')}</dt>
          <dd dir="auto">
            <strong>{customer.name}</strong>
            {/* Who may not see leads has the name, and no link that leads nowhere. */}
            {leadId !== null && permissions.has('leads:read') && <FromLead id={leadId} />}
          </dd>
        </div>
        <div>
          <dt>{status === 'Paid' || status === 'Cancelled' ? statusText(status) : t('due')}</dt>
          <dd>
            <When invoice={invoice} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function When({ invoice }: { invoice: Invoice }) {
  const { status, due_date: date, paid_at: paidAt, cancelled_at: cancelledAt } = invoice
  const today = useOrganizationDay()
  const ended = paidAt ?? cancelledAt
  if (ended !== null) return <OrganizationDay iso={ended} />
  return (
    <>
      <strong>
        <Day date={date} />
      </strong>
      {status === 'Draft' ? (
        <Chip>{t('notSent')}</Chip>
      ) : (
        <Due date={date} today={today} isOverdue={status === 'Overdue'} otherwise={null} />
      )}
    </>
  )
}

/** The lead that it came from, and the contact and the company that became of it. */
function FromLead({ id }: { id: number }) {
  const { permissions } = useSession()
  const { data: lead } = useRecord('lead', String(id))
  if (lead === undefined) return null
  const parts: [string, ReactNode][] = [
    [
      t('lead'),
      <TextLink key="lead" to="/leads/$id" params={{ id: String(id) }} dir="auto">
        {lead.name}
      </TextLink>,
    ],
    ...(lead.contact_id !== null && permissions.has('contacts:read')
      ? [[t('contact'), <RecordName key="contact" of="contact" id={lead.contact_id} />] as [string, ReactNode]]
      : []),
    ...(lead.company_id !== null && permissions.has('companies:read')
      ? [[t('company'), <RecordName key="company" of="company" id={lead.company_id} />] as [string, ReactNode]]
      : []),
  ]
  return (
    <span className={styles['from']}>
      {parts.map(([name, link]) => (
        <span key={name}>
          {name} {link}
        </span>
      ))}
    </span>
  )
}
